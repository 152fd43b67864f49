import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { isEmail } from '../../kernel/schema/formats.ts'

interface Recipients {
  to?: readonly string[]
  cc?: readonly string[]
}

/** Refuses recipients that no mail can reach, such as a name or several addresses in one text. */
export function refuseBadRecipients({ to = [], cc = [] }: Recipients, path: readonly string[] = []): void {
  const faults: Fault[] = []
  for (const [property, addresses] of Object.entries({ to, cc }))
    for (const [i, address] of addresses.entries())
      if (address === '' || !isEmail(address))
        faults.push(fault([...path, property, i], 'email', 'must be one e-mail address', address))
  if (faults.length > 0) throw new Invalid(faults)
}
