-- Which containers requesters see and ask at, and what of them people without an account see. Requesters saw all service desks until now, so
-- the portals of these are open to them; nothing becomes public by the upgrade.
alter table container add column portal jsonb not null default '{"enabled": false, "visitors": false, "types": []}';
update container set portal = '{"enabled": true, "visitors": false, "types": []}' where kind = 1;
