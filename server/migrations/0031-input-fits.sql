-- Whether a text can be read as a value of this type; as `pg_input_is_valid`, which PostgreSQL 15 does not have.
create function input_fits(value text, kind regtype) returns boolean language plpgsql stable strict as $$
begin
  execute format('select $1::%s', kind) using value;
  return true;
exception when others then
  return false;
end $$;
