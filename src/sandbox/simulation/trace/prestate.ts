import { type Hex, isHex } from 'viem'
import { askNode, type EvmClient, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { callOf, overridesOf, type SimulatedCall, traceWith } from './traceCall.ts'

export type StorageSlot = { address: Hex; slot: Hex; value: Hex }

/** Returns the slots that a call reads or writes, with their values before it. Empty if the node has no prestate tracer. */
export async function storageRead(client: EvmClient, call: SimulatedCall): Promise<StorageSlot[]> {
  const answer = await askNode(
    client,
    'debug_traceCall',
    [
      callOf(call),
      toQuantity(call.blockNumber),
      { tracer: 'prestateTracer', tracerConfig: { disableCode: true }, stateOverrides: overridesOf(call) },
    ],
    { isAnswer: () => true },
  )
  return slotsOf(answer).filter(({ value }) => /^0x[0-9a-f]{1,64}$/i.test(value))
}

export async function slotsRead(
  client: EvmClient,
  { of, call }: { of: Hex; call: SimulatedCall },
): Promise<readonly Hex[]> {
  const slots = await storageRead(client, call)
  return slots.flatMap(({ address, slot }) => (sameHex(address, of) ? [slot] : []))
}

/** Returns the storage slots that a call writes, ordered by address and slot. Nodes omit slots that become zero. */
export async function storageChanges(client: EvmClient, call: SimulatedCall): Promise<StorageSlot[]> {
  const answer = await traceWith(client, call, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } })
  const { post } = Object(answer)
  if (typeof post !== 'object' || post === null) throw unusableAnswer(answer, 'debug_traceCall')
  return slotsOf(post).sort((a, b) => (a.address + a.slot < b.address + b.slot ? -1 : 1))
}

const slotsOf = (accounts: unknown): StorageSlot[] =>
  Object.entries(Object(accounts)).flatMap(([address, account]) =>
    Object.entries(Object(Object(account).storage)).map(
      ([slot, value]) => ({ address: address.toLowerCase(), slot, value: String(value) }) as StorageSlot,
    ),
  )

/**
 * Returns the data that a call hashes, which shows the keys of its storage slots. Omits data of more than 256 bytes. Takes about 30 µs per
 * instruction.
 */
export async function hashedData(client: EvmClient, call: SimulatedCall): Promise<readonly Hex[]> {
  const answer = await traceWith(client, call, { tracer: hashTracer })
  if (!Array.isArray(answer)) throw unusableAnswer(answer, 'debug_traceCall')
  return [...new Set(answer.filter((data) => isHex(data)))]
}

/** 32 is the opcode KECCAK256. */
const hashTracer = `{
  hashed: [],
  step: function (log) {
    if (log.op.toNumber() !== 32) return
    var start = log.stack.peek(0).valueOf()
    var size = log.stack.peek(1).valueOf()
    if (size <= 256) this.hashed.push(toHex(log.memory.slice(start, start + size)))
  },
  fault: function () {},
  result: function () { return this.hashed }
}`
