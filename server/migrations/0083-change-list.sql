-- The change sets of a user, newest first: their ids begin with the time. Each one is found by one step in the index, however many
-- events it has, and a bulk change takes one entry of it, because equal keys are stored together. What the service does by itself
-- (rules, mail, imports) is not listed for users, and does not pay for it.
create index event_of_author on event (tenant_id, actor_id, change_set_id) where actor_kind in ('user', 'apiKey');
