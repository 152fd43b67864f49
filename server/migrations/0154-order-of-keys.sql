-- The keys of a container's items lie together in this order, whatever the order of the database is, so that a list of a container by key reads no others.
alter table item alter column key type text collate "C";
