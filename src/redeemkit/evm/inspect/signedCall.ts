import { line, sentence, sentenceValue } from '../../core/inspection/values.ts'
import type { DescribedCall } from '../creditPermit/inspectOptions.ts'
import { checkHex } from '../values.ts'
import { describeCall, plain } from './describeCall.ts'
import { isAddress, type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import { namedAddress, type Place } from './tokenTexts.ts'

/** A call that another account executes on behalf of the signer. */
type SignedCall = Omit<DescribedCall, 'kind'>

/**
 * Describes the call in a Safe transaction, an operation of a smart account, a forwarded request (ERC-2771, also Gelato's) or a meta
 * transaction.
 */
export function describeSignedCall(data: OtherTypedData, place: Place): SignedCall | undefined {
  const { message, domain } = data
  const layout = data.layouts[data.primaryType] ?? ''
  const isMeta = layout === 'uint256 nonce,address from,bytes functionSignature'
  // in the operation of a smart account, the account calls itself (ERC-4337)
  const account = ['sender', 'safe'].find((name) => has(layout, [`address ${name}`, 'bytes callData']))
  if (account !== undefined)
    return delegateCall(namedAddress(readAddress(message[account], 'message'), place))
  const target = ['to', 'target'].find((name) => has(layout, [`address ${name}`, 'bytes data']))
  const { to, bytes } = isMeta
    ? { to: domain.verifyingContract, bytes: message.functionSignature }
    : { to: target && message[target], bytes: message.data }
  if (!isAddress(to)) return undefined
  const isSafe = has(layout, ['uint8 operation'])
  if (isSafe && readUint(message.operation, 'message.operation') !== 0n)
    return delegateCall(namedAddress(readAddress(to, 'message.to'), place))
  const sender =
    message.from ?? message.user ?? (isSafe ? domain.verifyingContract : undefined) ?? place.context.address
  const call = {
    from: String(sender ?? ''),
    to: readAddress(to, 'message.to'),
    data: checkHex(bytes === '' ? '0x' : bytes, 'message'),
    value: has(layout, ['uint256 value']) ? readUint(message.value, 'message.value') : 0n,
  }
  if (call.data === '0x' && call.value === 0n) return undefined
  const described = describeCall(call, place)
  // the lines of the typed data already show these fields, and the selector may have another meaning in this contract
  if (described.title.key === 'call.unknown' || described.title.key === 'call.malformed') return undefined
  return {
    ...described,
    lines: [line('call', sentenceValue(described.title)), ...described.lines],
  }
}

/** Describes a delegate call: the other contract's code can do anything with the account's assets. */
function delegateCall(contract: ReturnType<typeof namedAddress>): SignedCall {
  const title = sentence('call.delegate', { contract })
  return plain(title, [], [line('call', sentenceValue(title))])
}

const has = (layout: string, members: readonly string[]) => {
  const own = layout.split(',')
  return members.every((member) => own.includes(member))
}
