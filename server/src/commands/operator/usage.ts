/** The command or its options are wrong; the message says why, or shows all commands. */
export class UsageError extends Error {}

/** All commands, as `gantry` prints them. */
export const help = `usage: npm run --silent gantry -- <verb>

  serve                                          start the service (npm start does the same)
  work                                           run only the background jobs, for a service that was started with ENGINES=off
  tenant create --name N --email E [--json]      create a tenant with a super admin, and print the credentials once
  tenant operate --slug S [--off]                allow its super admins to manage all tenants; --off ends this
  tenant export --slug S [--no-files]            write all data of a tenant to standard output
  tenant import --file F --slug S --email E [--name N] [--active | --suspended]
                                                 create a tenant from an export, with E as its super admin
  key create --email E --name N [--tenant SLUG]  create an API key for a user, and print only the key
  signing-key rotate [--revoke]                  sign tokens with a new key; --revoke invalidates all tokens that older keys signed
  master-key rotate                              seal all stored secrets with a new master key, while the service runs
  master-key drop                                remove the older master keys, if no stored secret needs them
  setting list                                   list the installation's settings, which apply to tenants without a value of their own
  setting set --key K --value JSON               set one of them; takes effect without a restart
  setting unset --key K                          remove the value, so that the default applies again
  backup [--to DIR] [--keep N]                   back up database and files while the service runs, to a new folder in DIR (default: BACKUP_DIR);
                                                 --keep removes all but the newest N backups there
  backup --base [--keep N]                       make a base backup in WAL_ARCHIVE; --keep removes all but the newest N there, and their log
  backup verify --from BACKUP                    read a whole backup and compare it with its manifest
  restore --from BACKUP                          restore into an empty DATA_DIR, or an empty DATABASE_URL and an empty DATA_DIR
  restore --from ARCHIVE [--at TIME]             restore the embedded database as of a moment, from a WAL_ARCHIVE
  restore --from BACKUP|ARCHIVE [--at TIME] --tenant S --as S2 [--email E]
                                                 restore one tenant as a new tenant S2 of this installation, with E as its super admin
  migrate                                        run the pending migrations of the database
  doctor                                         check the installation and say what to do; changes nothing, exit code 1 with a problem
  doctor --audit [--heads FILE]                  prove that nothing was cut out of the logs of tenants or changed, or say where`
