import { parseBase58 } from '../encoding/parseBase58.ts'

/** One instruction before it is compiled into a message. */
export type Instruction = {
  program: string
  /** `s` signs, `w` is written, both or none. */
  accounts: readonly (readonly [address: string, role: '' | 's' | 'w' | 'sw'])[]
  data: Uint8Array
}

/**
 * Compiles a message without lookup tables, version 0 unless `legacy`: payer first, then signers, then the
 * others, the written ones before the read ones.
 */
export function encodeMessage(options: {
  payer: string
  blockhash: string
  instructions: readonly Instruction[]
  /** The older layout, which every hardware wallet reads. */
  legacy?: boolean | undefined
}): Uint8Array {
  const { payer, blockhash, instructions, legacy } = options
  const roles = new Map<string, { signs: boolean; written: boolean }>([
    [payer, { signs: true, written: true }],
  ])
  for (const { program, accounts } of instructions)
    for (const [address, role] of [[program, ''] as const, ...accounts]) {
      const before = roles.get(address)
      roles.set(address, {
        signs: before?.signs === true || role.includes('s'),
        written: before?.written === true || role.includes('w'),
      })
    }
  const rank = ([address, role]: [string, { signs: boolean; written: boolean }]) =>
    address === payer ? 0 : 1 + (role.signs ? 0 : 2) + (role.written ? 0 : 1)
  const sorted = [...roles].sort((a, b) => rank(a) - rank(b))
  const keys = sorted.map(([address]) => address)
  const count = (signs: boolean, written: boolean) =>
    sorted.filter(([, role]) => role.signs === signs && role.written === written).length
  const bytes = (key: string) => [...parseBase58(key, { field: 'address', length: 32 })]
  const list = <item>(items: readonly item[], write: (item: item) => readonly number[]) => [
    ...encodeLength(items.length),
    ...items.flatMap(write),
  ]
  return Uint8Array.from([
    ...(legacy ? [] : [128]),
    count(true, true) + count(true, false),
    count(true, false),
    count(false, false),
    ...list(keys, bytes),
    ...bytes(blockhash),
    ...list(instructions, ({ program, accounts, data }) => [
      keys.indexOf(program),
      ...list(accounts, ([address]) => [keys.indexOf(address)]),
      ...list([...data], (byte) => [byte]),
    ]),
    ...(legacy ? [] : [0]),
  ])
}

/** Solana's "compact" length: seven bits a byte, the lowest first. */
export function encodeLength(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, length >> 7]
}
