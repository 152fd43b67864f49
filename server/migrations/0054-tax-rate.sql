-- A percentage has four decimals.
alter table crm alter column tax_rate type numeric(7, 4);
