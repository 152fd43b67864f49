-- A notification can send a saved report instead of the items that match its conditions.
alter table notification add column saved_report_id uuid;
