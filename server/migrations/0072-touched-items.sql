-- What a user has changed lately, for the rows of their week. Items that are only created are left out: imports would fill it, and
-- pay for it.
create index event_of_actor on event (tenant_id, actor_id, at)
  where entity in ('Item', 'Annotation') and kind <> 'item.created' and actor_kind in ('user', 'apiKey');
