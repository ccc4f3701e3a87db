import type { Hex } from 'viem'
import { sandboxPeople } from '../../start/fundPeople.ts'

/** The people of every sandbox, by whose names their addresses may be typed. */
export function peopleAddresses(): Readonly<Record<string, Hex>> {
  return Object.fromEntries(Object.values(sandboxPeople()).map(({ name, address }) => [name, address]))
}
