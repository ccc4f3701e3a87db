import type { Clock } from 'litesvm'
import type { AccountState } from '../accountStore.ts'
import type { Kind, Value } from './assertionReader.ts'

/** An account as an instruction sees it. */
export type Target = AccountState & {
  address: string
  executable: boolean
  isSigner: boolean
  isWritable: boolean
}

/** Of an account itself. Rent is collected no more: its epoch is the last one there is, for every account. */
export const infoFields: readonly (readonly [Kind, (target: Target) => Value])[] = [
  ['u64', ({ lamports }) => lamports],
  ['u64', ({ data }) => BigInt(data.length)],
  ['key', ({ owner }) => owner],
  ['known program', ({ owner }) => owner],
  ['u64', () => 2n ** 64n - 1n],
  ['bool', ({ isSigner }) => isSigner],
  ['bool', ({ isWritable }) => isWritable],
  ['bool', ({ executable }) => executable],
]

/** Of a mint: how it is written, and where. */
export const mintFields: readonly (readonly [Kind, number])[] = [
  ['option key', 0],
  ['u64', 36],
  ['u8', 44],
  ['bool', 45],
  ['option key', 46],
]

/** Of a token account: mint, owner, amount, delegate, state, native, delegated amount, close authority. */
export const tokenFields: readonly (readonly [Kind, number])[] = [
  ['key', 0],
  ['key', 32],
  ['u64', 64],
  ['option key', 72],
  ['u8', 108],
  ['option u64', 109],
  ['u64', 121],
  ['option key', 129],
]

/** Of the clock. */
export const clockFields: readonly (readonly [Kind, (clock: Clock) => bigint])[] = [
  ['u64', ({ slot }) => slot],
  ['i64', ({ epochStartTimestamp }) => epochStartTimestamp],
  ['u64', ({ epoch }) => epoch],
  ['u64', ({ leaderScheduleEpoch }) => leaderScheduleEpoch],
  ['i64', ({ unixTimestamp }) => unixTimestamp],
]

/** Of raw data; between the last integer and the key lie bytes of any length. */
export const dataKinds: readonly (Kind | 'bytes')[] = [
  'bool',
  'u8',
  'i8',
  'u16',
  'i16',
  'u32',
  'i32',
  'u64',
  'i64',
  'u128',
  'i128',
  'bytes',
  'key',
]
