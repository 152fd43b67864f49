/** Whether an address belongs to a domain or to a subdomain of it. */
export function isInDomain(address: string, domain: string): boolean {
  const [own = '', entry] = [address.trim().toLowerCase().split('@').at(-1), domain.toLowerCase()]
  return own === entry || own.endsWith(`.${entry}`)
}
