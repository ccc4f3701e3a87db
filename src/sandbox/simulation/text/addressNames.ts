import { getAddress, type Hex, isAddress, zeroAddress } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame, RedeemReport } from '../redeemReport.ts'
import { walkFrames } from '../trace/frames.ts'
import { tokenCallOf } from '../trace/moves.ts'

export type AddressNames = {
  of: (address: Hex) => string
  /** Replaces addresses in a text with names, except in quoted strings and commands. */
  in: (text: string) => string
  shown: () => readonly { name: string; address: Hex }[]
}

/** @param names names by address; the first name for an address is used */
export function addressNames(names: readonly (readonly [Hex | undefined, string])[]): AddressNames {
  const known = new Map<string, string>([[zeroAddress, 'the zero address']])
  for (const [address, name] of names) {
    const key = address?.toLowerCase()
    if (key !== undefined && !known.has(key)) known.set(key, name)
  }
  const shown = new Map<string, string>()
  const of = (address: Hex) => {
    const key = address.toLowerCase()
    if (!isAddress(key)) return address
    const full = getAddress(key)
    const name = known.get(key) ?? precompileName(key) ?? `${full.slice(0, 10)}…${full.slice(-4)}`
    if (key !== zeroAddress && precompileName(key) === undefined) shown.set(full, name)
    return name
  }
  // Avoids "relayer relayer" for "the relayer 0x…".
  const nameAfter = (_: string, before: string | undefined, found: Hex) => {
    const name = of(found)
    return before === undefined || before === name ? name : `${before} ${name}`
  }
  return {
    of,
    in: (text) =>
      text
        .split(/("(?:[^"\\]|\\.)*"?|`[^`]*`)/)
        .map((part, place) =>
          // Every second part is a quoted string or a command, and stays unchanged.
          place % 2 === 1 ? part : part.replace(/\b(?:(\w{1,20}) )?(0x[0-9a-fA-F]{40})\b/g, nameAfter),
        )
        .join(''),
    shown: () => [...shown].map(([address, name]) => ({ name, address: address as Hex })),
  }
}

/** An account that is both customer and target is named "customer". */
export function reportNames({ redeem, callTree }: RedeemReport): AddressNames {
  const own = [...walkFrames(callTree)].filter(({ frame: { from } }) => sameHex(from, callTree.to))
  const calledAs = (is: (frame: CallFrame) => boolean | undefined) =>
    own.find(({ frame }) => is(frame))?.frame.to
  return addressNames([
    [redeem.wallet, 'customer'],
    [callTree.to, 'Credits'],
    [usdcOf(callTree), 'USDC'],
    [redeem.target, 'target'],
    [redeem.relayer, 'relayer'],
    [calledAs(({ type }) => type === 'DELEGATECALL'), 'CreditsExtension'],
    [calledAs(({ text }) => text?.startsWith('bridge(')), 'bridge adapter'],
  ])
}

/** USDC is the contract that the credits contract calls to approve, transfer or collect. */
export function usdcOf(root: CallFrame): Hex | undefined {
  for (const call of root.calls) {
    const isOwn = sameHex(call.from, root.to)
    if (isOwn && call.type === 'CALL' && !sameHex(call.to, call.from))
      if (startsSettlement.test(tokenCallOf(call)?.[0] ?? '')) return call.to
    // A batch item is a call of the credits contract to itself.
    if (isOwn && sameHex(call.to, root.to)) return usdcOf(call)
  }
  return undefined
}

/** Matches the USDC calls with which a settlement starts (PROTOCOL.md 6.2, 5). */
const startsSettlement = /^(approve|transfer|transferWithAuthorization|receiveWithAuthorization)$/

export function precompileName(address: Hex): string | undefined {
  return precompiles[Number(BigInt(address))]
}

/** Names of the original precompiles, and of those in EIP-152, EIP-196, EIP-197, EIP-4844 and EIP-7951. */
const precompiles: Readonly<Record<number, string>> = {
  1: 'ecrecover',
  2: 'sha256',
  3: 'ripemd160',
  4: 'identity',
  5: 'modexp',
  6: 'bn256 add',
  7: 'bn256 mul',
  8: 'bn256 pairing',
  9: 'blake2f',
  10: 'kzg evaluation',
  256: 'secp256r1',
}
