-- Links by which a requester follows a ticket without signing in. They are sealed and not stored; a ticket accepts those of its present generation.
alter table ticket add column link_generation integer not null default 0;
