import { programs } from '../instruction/programs.ts'
import { networks } from '../networks.ts'

/**
 * Whether an address is that of a program, of a mint or of the runtime itself, so that no payment comes from
 * it or goes to it.
 *
 * The runtime's own (Stake, Vote, sysvars, loaders, wrapped SOL, the incinerator) all have eight ones in a
 * row, which no key has by chance.
 */
export function isReserved(address: string): boolean {
  return (
    /1{8}/.test(address) ||
    Object.values<string>(programs).includes(address) ||
    networks.some(({ usdcMint }) => usdcMint === address)
  )
}
