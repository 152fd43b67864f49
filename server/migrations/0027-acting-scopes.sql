-- What acts later in the name of a user stays within the scopes of the credential that made it; none are all rights.

alter table rule            add column scopes text[] not null default '{}';
alter table hook            add column scopes text[] not null default '{}';
alter table notification    add column scopes text[] not null default '{}';
alter table watch           add column scopes text[] not null default '{}';
alter table approval        add column scopes text[] not null default '{}';
alter table item_recurrence add column scopes text[] not null default '{}';
