import { getAddress, type Hex, pad } from 'viem'
import { askNode, toQuantity } from '../../../redeemkit/evm/client/askNode.ts'
import { callContract } from '../../../redeemkit/evm/client/readChain.ts'
import type { CallFrame } from '../redeemReport.ts'
import { sameAddress } from '../trace/frames.ts'
import { codeAt, opcodes, opcodesIn } from './opcodes.ts'
import { type Judge, type RuleContext, ruleFinding } from './rule.ts'

/**
 * `UPGRADEABLE`: somebody can replace the code of the target, so that what was looked at for the whitelist need not be what is
 * called. Proxies of EIP-1967 (transparent, UUPS, beacon), EIP-1822 and the older zeppelinos slot, diamonds of EIP-2535, accounts
 * that delegate by EIP-7702, and any other target that runs code whose address is not in its own code.
 *
 * A clone of EIP-1167 has its address in its code, and nobody can change that. A proxy whose code has no way to upgrade, and an
 * upgrade that waits a day in a timelock, break nothing.
 */
export const upgradeable: Judge = async (context) => {
  const { client, redeem, settlement } = context
  if (redeem.shape === 'token' || redeem.shape === 'decent') return []
  const code = await codeAt(client, settlement.target, redeem.blockNumber)
  const how = await howUpgraded({ ...context, code: code.toLowerCase() as Hex }) // hex in lower case still is hex
  return how === undefined ? [] : [ruleFinding('warning', 'UPGRADEABLE', how)]
}

type Target = RuleContext & { code: Hex }

/** What is known of a proxy: in words who can replace the code, `undefined` when nobody can, or not within a day. */
type Known = { how: string | undefined }

/** In words who can replace the code and by what; `undefined` when nothing says that anybody can. */
async function howUpgraded(target: Target): Promise<string | undefined> {
  const { code, settlement } = target
  if (code.startsWith('0xef0100'))
    return `${settlement.target} is an account with a key, which runs the code of ${addressAt(code.slice(8))} (EIP-7702): the key can have it run other code.`
  if (!opcodesIn(code).has(opcodes.delegateCall)) return undefined
  const known = (await slotUpgrade(target)) ?? (await diamondUpgrade(target))
  return known === undefined ? unknownDelegate(target) : known.how
}

async function slotUpgrade(target: Target): Promise<Known | undefined> {
  const { settlement } = target
  const [beacon, admin, ...implementations] = await Promise.all(
    [slots.beacon, slots.admin, ...slots.implementations].map((slot) => addressIn(target, slot)),
  )
  if (beacon !== undefined)
    return knownOf(
      target,
      `${settlement.target} runs the code that the beacon ${beacon} names`,
      await ownerOf(target, beacon),
    )
  const implementation = implementations.find((address) => address !== undefined)
  if (implementation === undefined) return undefined
  const proxy = `${settlement.target} is a proxy of ${implementation}`
  if (admin !== undefined)
    // A transparent proxy is administered by a contract that has an owner of its own.
    return knownOf(target, `${proxy}, administered by ${admin}`, (await ownerOf(target, admin)) ?? admin)
  if (!(await canUpgrade(target, implementation))) return { how: undefined }
  return knownOf(target, proxy, await ownerOf(target, settlement.target))
}

async function knownOf(target: Target, what: string, owner: Hex | undefined): Promise<Known> {
  if (owner === undefined) return { how: `${what}, and can be upgraded.` }
  if (await waitsForDays(target, owner)) return { how: undefined }
  return { how: `${what}, and ${owner} can have it run other code.` }
}

const slots = {
  /** EIP-1967; keccak256("org.zeppelinos.proxy.implementation"), which USDC has; EIP-1822. */
  implementations: [
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
    '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  ],
  /** EIP-1967. */
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  /** EIP-1967. */
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
} as const satisfies Record<string, Hex | readonly Hex[]>

/** Whether the code behind a proxy replaces it: by a function of EIP-1822 and EIP-1967, or by writing the slot. */
async function canUpgrade({ client, redeem, code }: Target, implementation: Hex): Promise<boolean> {
  const behind = (await codeAt(client, implementation, redeem.blockNumber)).toLowerCase()
  const marks = [...upgradeSelectors, ...slots.implementations.map((slot) => slot.slice(2))]
  return marks.some((mark) => behind.includes(mark)) || upgradeSelectors.some((mark) => code.includes(mark))
}

/** `upgradeTo(address)` and `upgradeToAndCall(address,bytes)`. */
const upgradeSelectors = ['3659cfe6', '4f1ef286']

async function diamondUpgrade(target: Target): Promise<Known | undefined> {
  const { settlement, redeem } = target
  const facetOf = (selector: string) =>
    askAddress(target, settlement.target, `0xcdffacc6${selector.slice(2).padEnd(64, '0')}`)
  const facet = redeem.selector && (await facetOf(redeem.selector))
  if (facet === undefined) return undefined
  // The function that replaces the others; without it nobody can (EIP-2535).
  if ((await facetOf('0x1f931c1c')) === undefined) return { how: undefined }
  const owner = await ownerOf(target, settlement.target)
  return knownOf(target, `${settlement.target} is a diamond with diamondCut (EIP-2535)`, owner)
}

/** Code that the target runs as its own, and of which the address is not written into code that it runs. */
async function unknownDelegate(target: Target): Promise<string | undefined> {
  const { client, call, code, settlement, redeem } = target
  const delegates = call === undefined ? [] : delegatesOf(call, settlement.target)
  let written: string = code
  for (const delegate of delegates) {
    if (!written.includes(delegate.slice(2).toLowerCase()))
      return `${settlement.target} runs the code of ${getAddress(delegate)}, whose address is not written into its own code: it can be another one tomorrow.`
    // A library of the code behind a clone.
    written += (await codeAt(client, delegate, redeem.blockNumber)).toLowerCase()
  }
  return delegates.length > 0 && (await isStored(target, delegates))
    ? `${settlement.target} runs the code of an address that it keeps in its storage, though one is written into its code: it can be another one tomorrow.`
    : undefined
}

/**
 * Whether a word of storage says whose code is run, though the address is written into the code: with another address in it, in
 * the place of that one or of nothing, the code of that other is run.
 */
async function isStored(target: Target, delegates: readonly Hex[]): Promise<boolean> {
  const { reads, rerun, settlement } = target
  const words = Object.entries(await reads(settlement.target)) as [Hex, Hex][] // slots and words
  for (const [slot, word] of words.slice(0, mostDelegates)) {
    const full = pad(word).toLowerCase()
    const digits = delegates.map((delegate) => delegate.slice(2).toLowerCase())
    const found = digits.find((address) => full.includes(address))
    if (found === undefined && BigInt(full) !== 0n) continue
    // a word of hex digits, with as many others in their place
    const other = (found === undefined ? pad(anotherCode) : full.replace(found, anotherCode.slice(2))) as Hex
    const { frame } = await rerun({ state: { [settlement.target]: { stateDiff: { [slot]: other } } } })
    if (delegatesOf(frame, settlement.target).some((delegate) => sameAddress(delegate, anotherCode)))
      return true
  }
  return false
}

/** Nobody's: the last bytes of keccak256("another code"). */
const anotherCode: Hex = '0x3a4f1c10cc4614970474f0571366587bb57fe128'

function delegatesOf(call: CallFrame, target: Hex): Hex[] {
  const found: Hex[] = []
  const stack = [call]
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { type, to, from, calls } = frame
    const isDelegate = type === 'DELEGATECALL' || type === 'CALLCODE'
    // What it hands to itself, as a multicall does, is its own code.
    if (isDelegate && to !== undefined && sameAddress(from, target) && !sameAddress(to, target))
      found.push(to)
    stack.push(...[...calls].reverse())
  }
  return [...new Set(found)].slice(0, mostDelegates)
}

/** Each is looked up. */
const mostDelegates = 20

/** A timelock says how long it waits: `getMinDelay()` of OpenZeppelin's, `delay()` of Compound's. */
async function waitsForDays(target: Target, owner: Hex | undefined): Promise<boolean> {
  if (owner === undefined) return false
  for (const selector of ['0xf27a0c92', '0x6a42b8f8'] as const) {
    const answer = await ask(target, owner, selector)
    if (answer !== undefined && answer.length === 66 && BigInt(answer) >= day) return true
  }
  return false
}

const day = 86_400n

const ownerOf = (target: Target, contract: Hex) => askAddress(target, contract, '0x8da5cb5b')

async function askAddress(target: Target, to: Hex, data: Hex): Promise<Hex | undefined> {
  const answer = await ask(target, to, data)
  return answer?.length === 66 ? addressAt(answer.slice(26), answer) : undefined
}

/** @returns `undefined` when it reverts, and for an address without code */
async function ask({ client, redeem }: Target, to: Hex, data: Hex): Promise<Hex | undefined> {
  return callContract(client, { to, data }, { blockNumber: redeem.blockNumber })
}

async function addressIn({ client, settlement, redeem }: Target, slot: Hex): Promise<Hex | undefined> {
  const word = await askNode(client, 'eth_getStorageAt', [
    settlement.target,
    slot,
    toQuantity(redeem.blockNumber),
  ])
  // Nodes write a word with or without the zeros before it.
  if (typeof word !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(word)) return undefined
  const full = pad(word as Hex) // just checked
  return addressAt(full.slice(26), full)
}

/** @param word of which the digits are the end; what is more than an address is none */
function addressAt(digits: string, word?: Hex): Hex | undefined {
  if (digits.length !== 40 || BigInt(`0x${digits}`) === 0n) return undefined
  if (word !== undefined && BigInt(word) >> 160n !== 0n) return undefined
  return getAddress(`0x${digits}`)
}
