-- A request of another site is announced without a credential (a preflight), so whether some tenant lists the site is asked across tenants.
grant select (key, value, scope, deleted) on app_setting to gantry_door;
create policy door on app_setting for select to gantry_door using (key = 'cors.origins');
create index app_setting_cors_origins on app_setting (key) where key = 'cors.origins' and not deleted;
