-- How many chats of a network are open.
create index visitor_chat_of_network on visitor_chat (tenant_id, network) where ended_at is null;
