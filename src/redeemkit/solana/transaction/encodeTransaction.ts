import { parseBase58 } from '../encoding.ts'

export function encodeTransaction(options: {
  /** 64 bytes each; 64 zeros for a missing signature. */
  signatures: readonly Uint8Array[]
  message: Uint8Array
}): Uint8Array {
  const { signatures, message } = options
  return Uint8Array.from([
    ...encodeLength(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...message,
  ])
}

export type Instruction = {
  program: string
  /** `s`: signer; `w`: writable; `sw`: both; empty: neither. */
  accounts: readonly (readonly [address: string, role: '' | 's' | 'w' | 'sw'])[]
  data: Uint8Array
}

/**
 * Compiles a message without lookup tables (version 0 unless `legacy`). Orders the keys: payer, other signers, other
 * accounts; in each group, writable accounts first.
 */
export function encodeMessage(options: {
  payer: string
  blockhash: string
  instructions: readonly Instruction[]
  /** The older layout, which every hardware wallet can read. */
  legacy?: boolean | undefined
}): Uint8Array {
  const { payer, blockhash, instructions, legacy } = options
  const roles = new Map<string, string>([[payer, 'sw']])
  for (const { program, accounts } of instructions)
    for (const [address, role] of [[program, ''] as const, ...accounts])
      roles.set(address, role + (roles.get(address) ?? ''))
  // Returns the keys in the order of first use. The payer is the first writable signer.
  const group = (signs: boolean, isWritten: boolean) =>
    [...roles.keys()].filter((key) => {
      const role = roles.get(key) ?? ''
      return role.includes('s') === signs && role.includes('w') === isWritten
    })
  const [signers, readSigners, readOthers] = [group(true, true), group(true, false), group(false, false)]
  const keys = [...signers, ...readSigners, ...group(false, true), ...readOthers]
  const bytes = (key: string) => [...parseBase58(key, { field: 'address', length: 32 })]
  const list = <item>(items: readonly item[], write: (item: item) => readonly number[]) => [
    ...encodeLength(items.length),
    ...items.flatMap(write),
  ]
  return Uint8Array.from([
    ...(legacy ? [] : [128]),
    signers.length + readSigners.length,
    readSigners.length,
    readOthers.length,
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

/** Encodes a length in Solana's "compact" form: seven bits per byte, the lowest first. */
export function encodeLength(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, length >> 7]
}
