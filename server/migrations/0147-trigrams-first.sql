-- A GIN index compares its columns in their order, and begins again with the first one after each row that fails. With the tenant first, it looked up the
-- tenant's entry for each row that has the rarest trigram of a part; now only for rows that have all of them.
drop index search_word_parts;
create index search_word_parts on search_word using gin (word gin_trgm_ops, tenant_id) with (gin_pending_list_limit = 64);
drop index item_value_text_parts;
create index item_value_text_parts on item_value using gin (text_value gin_trgm_ops, field_id) with (gin_pending_list_limit = 512) where text_value is not null;
