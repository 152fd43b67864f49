-- Articles of the knowledge base that were suggested to somebody who wrote a request, and what came of it.
create table suggestion (
  tenant_id uuid not null,
  id        uuid not null,
  begun     timestamptz not null,
  -- Whether articles were suggested for a request; otherwise somebody came to an article by a link.
  asked     boolean not null,
  -- Who asked; visitors have no account.
  user_id   uuid,
  primary key (tenant_id, id)
);
call wall('suggestion');
create index suggestion_begun on suggestion (tenant_id, begun);
create index suggestion_of_user on suggestion (tenant_id, user_id, begun) where user_id is not null;

-- An article that was suggested or opened: once for each suggestion, so that nobody counts twice.
create table article_reading (
  tenant_id     uuid not null,
  suggestion_id uuid not null,
  document_id   uuid not null,
  at            timestamptz not null,
  opened_at     timestamptz,
  helped        boolean,
  primary key (tenant_id, suggestion_id, document_id),
  foreign key (tenant_id, suggestion_id) references suggestion (tenant_id, id) on delete cascade
);
call wall('article_reading');
create index article_reading_of_document on article_reading (tenant_id, document_id, at);
create index article_reading_at on article_reading (tenant_id, at);
