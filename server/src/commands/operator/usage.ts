/** The command was not understood; the message shows how to use it. */
export class UsageError extends Error {}

/** All commands, as `gantry` prints them. */
export const help = `usage: npm run --silent gantry -- <verb>

  serve                                          start the service (npm start does the same)
  work                                           run the engines alone, beside a service with ENGINES=off
  tenant create --name N --email E [--json]      make a tenant with a super admin, and show the credentials once
  tenant operate --slug S [--off]                let its super admins look after the other tenants, or no more
  tenant export --slug S [--no-files]            write all that a tenant has to the standard output
  tenant import --file F --slug S --email E [--name N] [--active | --suspended]
                                                 make a tenant of an export; E becomes its super admin
  key create --email E --name N [--tenant SLUG]  mint an API key for a user, and print it alone
  signing-key rotate [--revoke]                  sign tokens with a new key; --revoke ends what the old ones signed
  setting list                                   what the operator says about settings, for tenants that say nothing
  setting set --key K --value JSON               say it; counts at once, without a restart
  setting unset --key K                          say nothing any more
  migrate                                        bring the database up to date
  doctor                                         look for what is wrong, and say what to do`
