import { BlockList, isIP } from 'node:net'

/** Whether the entry is an address, or a network such as 10.0.0.0/8. */
export function isNetwork(entry: string): boolean {
  return networkIn(entry) !== undefined
}

/** The addresses and networks as a list to check addresses against. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const network = networkIn(entry)
    if (network) list.addSubnet(network.address, network.bits, network.family)
  }
  return list
}

/** Whether the list contains the address. An IPv4 address may be written as IPv6 (`::ffff:192.0.2.1`). */
export function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Whether one of the bounds contains the whole network. */
export function allows(bounds: readonly string[], entry: string): boolean {
  const network = networkIn(entry)
  if (!network) return false
  return bounds.some(bound => {
    const outer = networkIn(bound)
    return (
      outer?.family === network.family &&
      outer.bits <= network.bits &&
      addressList([bound]).check(network.address, network.family)
    )
  })
}

type Family = 'ipv4' | 'ipv6'

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function networkIn(entry: string): { address: string; bits: number; family: Family } | undefined {
  const [address = '', bits, more] = entry.split('/')
  const family = familyOf(address)
  const max = family === 'ipv6' ? 128 : 32
  if (isIP(address) === 0 || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  return Number(bits ?? max) <= max ? { address, bits: Number(bits ?? max), family } : undefined
}
