import { concat, getAddress, type Hex, keccak256, pad } from 'viem'
import { askNode, callContract, toQuantity } from '../../../redeemkit/evm/client.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { codeAt } from '../readChain.ts'
import type { CallFrame } from '../redeemReport.ts'
import { addressIn, walkFrames } from '../trace/frames.ts'
import { opcodes, opcodesIn } from './opcodes.ts'
import { type Judge, type RuleContext, warning } from './rule.ts'

/**
 * `UPGRADEABLE`: proxies of EIP-1967 (transparent, UUPS, beacon), EIP-1822 and the older zeppelinos slot, EIP-2535 diamonds, EIP-7702
 * delegations, and code at an address that the target's code does not contain.
 *
 * Not reported are EIP-1167 clones, whose address is fixed, proxies without an upgrade function, and upgrades behind a timelock of at
 * least a day.
 */
export const upgradeable: Judge = async (context) => {
  const { client, redeem, settlement } = context
  if (settlementShapes[redeem.shape].does !== 'call') return []
  const code = await codeAt(client, settlement.target, redeem.blockNumber)
  const how = await howUpgraded({ ...context, code: code.toLowerCase() as Hex })
  return how === undefined ? [] : warning('UPGRADEABLE', how)
}

type Target = RuleContext & { code: Hex }

/** `undefined` if the code cannot be replaced, or not within a day. */
type Known = { how: string | undefined }

async function howUpgraded(target: Target): Promise<string | undefined> {
  const { code, settlement } = target
  if (code.startsWith('0xef0100'))
    return `${settlement.target} is a key-controlled account that delegates to ${addressOf(`0x${code.slice(8)}`)} (EIP-7702): its key can change the delegation.`
  if (!opcodesIn(code).has(opcodes.delegateCall)) return undefined
  const proxy = await slotUpgrade(target)
  if (proxy?.how !== undefined) return proxy.how
  // Diamonds also write to the slot of EIP-1967, for explorers.
  const known = (await diamondUpgrade(target)) ?? proxy
  return known === undefined ? unknownDelegate(target) : known.how
}

async function slotUpgrade(target: Target): Promise<Known | undefined> {
  const { settlement } = target
  const [beacon, admin, ...implementations] = await Promise.all(
    [slots.beacon, slots.admin, ...slots.implementations].map((slot) => addressInSlot(target, slot)),
  )
  if (beacon !== undefined)
    return knownOf(
      target,
      `${settlement.target} runs the code that the beacon ${beacon} points to`,
      await ownerOf(target, beacon),
    )
  const implementation = implementations.find((address) => address !== undefined)
  if (implementation === undefined) return undefined
  const proxy = `${settlement.target} is a proxy of ${implementation}`
  if (admin !== undefined)
    // The admin of a transparent proxy is a contract with its own owner.
    return knownOf(target, `${proxy}, administered by ${admin}`, (await ownerOf(target, admin)) ?? admin)
  if (!(await canUpgrade(target, implementation))) return { how: undefined }
  return knownOf(target, proxy, await ownerOf(target, settlement.target))
}

async function knownOf(target: Target, what: string, owner: Hex | undefined): Promise<Known> {
  if (owner === undefined) return { how: `${what}, and can be upgraded.` }
  if (await waitsForDays(target, owner)) return { how: undefined }
  return { how: `${what}, and ${owner} can replace the code.` }
}

const slots = {
  /** The slots of EIP-1967, of keccak256("org.zeppelinos.proxy.implementation"), which USDC uses, and of EIP-1822. */
  implementations: [
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
    '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  ],
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  /** keccak256("diamond.standard.diamond.storage"): the mapping from selectors to facets. */
  diamond: '0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c',
} as const satisfies Record<string, Hex | readonly Hex[]>

/** Whether the implementation can replace itself, with an EIP-1822 or EIP-1967 function or by writing to the slot. */
async function canUpgrade({ client, redeem, code }: Target, implementation: Hex): Promise<boolean> {
  const behind = (await codeAt(client, implementation, redeem.blockNumber)).toLowerCase()
  const marks = [...upgradeSelectors, ...slots.implementations.map((slot) => slot.slice(2))]
  return marks.some((mark) => behind.includes(mark)) || upgradeSelectors.some((mark) => code.includes(mark))
}

/** Selectors of `upgradeTo(address)` and `upgradeToAndCall(address,bytes)`. */
const upgradeSelectors = ['3659cfe6', '4f1ef286']

async function diamondUpgrade(target: Target): Promise<Known | undefined> {
  const { settlement, redeem } = target
  if (redeem.selector === undefined || !(await hasFacet(target, redeem.selector))) return undefined
  // Without diamondCut, functions cannot be replaced (EIP-2535).
  if (!(await hasFacet(target, '0x1f931c1c'))) return { how: undefined }
  const owner = await ownerOf(target, settlement.target)
  return knownOf(target, `${settlement.target} is a diamond with diamondCut (EIP-2535)`, owner)
}

/** Asks `facetAddress(bytes4)` or, if that is missing, reads the storage of the reference implementations. */
async function hasFacet(target: Target, selector: Hex): Promise<boolean> {
  const key = pad(selector, { dir: 'right' })
  if ((await askAddress(target, target.settlement.target, concat(['0xcdffacc6', key]))) !== undefined)
    return true
  return BigInt((await wordIn(target, keccak256(concat([key, slots.diamond])))) ?? 0) !== 0n
}

/** Describes the first delegated code at an address that the target's code does not contain. */
async function unknownDelegate(target: Target): Promise<string | undefined> {
  const { client, call, code, settlement, redeem } = target
  const delegates = call === undefined ? [] : delegatesOf(call, settlement.target)
  let written: string = code
  for (const delegate of delegates) {
    if (!written.includes(delegate.slice(2).toLowerCase()))
      return `${settlement.target} runs the code of ${getAddress(delegate)}, whose address is not part of its own code: it can change at any time.`
    // A clone's implementation may call libraries.
    written += (await codeAt(client, delegate, redeem.blockNumber)).toLowerCase()
  }
  return delegates.length > 0 && (await isStored(target, delegates))
    ? `${settlement.target} runs the code of an address in its storage, not of the one in its own code: it can change at any time.`
    : undefined
}

/** Simulates the call with another address in the slot, because the code may contain the same address. */
async function isStored(target: Target, delegates: readonly Hex[]): Promise<boolean> {
  const { reads, rerun, settlement } = target
  const words = (await reads()).filter(({ address }) => sameHex(address, settlement.target))
  for (const { slot, value } of words.slice(0, mostDelegates)) {
    const full = pad(value).toLowerCase()
    const digits = delegates.map((delegate) => delegate.slice(2).toLowerCase())
    const found = digits.find((address) => full.includes(address))
    if (found === undefined && BigInt(full) !== 0n) continue
    const other = (found === undefined ? pad(anotherCode) : full.replace(found, anotherCode.slice(2))) as Hex
    const { frame } = await rerun({ state: { [settlement.target]: { stateDiff: { [slot]: other } } } })
    if (delegatesOf(frame, settlement.target).some((delegate) => sameHex(delegate, anotherCode))) return true
  }
  return false
}

/** An unused address: the last bytes of keccak256("another code"). */
const anotherCode: Hex = '0x3a4f1c10cc4614970474f0571366587bb57fe128'

function delegatesOf(call: CallFrame, target: Hex): Hex[] {
  const found = [...walkFrames(call)].flatMap(({ frame: { type, to, from } }) => {
    const isDelegate = type === 'DELEGATECALL' || type === 'CALLCODE'
    // A contract that delegates to itself, as in a multicall, runs its own code.
    return isDelegate && to !== undefined && sameHex(from, target) && !sameHex(to, target) ? [to] : []
  })
  return [...new Set(found)].slice(0, mostDelegates)
}

/** Limited, because each delegate costs a read. */
const mostDelegates = 20

/** Whether the owner is a timelock with a sufficient delay: `getMinDelay()` (OpenZeppelin) or `delay()` (Compound). */
async function waitsForDays(target: Target, owner: Hex): Promise<boolean> {
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
  return answer?.length === 66 ? addressOf(answer) : undefined
}

/** @returns `undefined` if the call reverts or the address has no code */
async function ask({ client, redeem }: Target, to: Hex, data: Hex): Promise<Hex | undefined> {
  return callContract(client, { to, data }, { blockNumber: redeem.blockNumber })
}

async function addressInSlot(target: Target, slot: Hex): Promise<Hex | undefined> {
  const word = await wordIn(target, slot)
  return word && addressOf(word)
}

async function wordIn({ client, settlement, redeem }: Target, slot: Hex): Promise<Hex | undefined> {
  const word = await askNode(client, 'eth_getStorageAt', [
    settlement.target,
    slot,
    toQuantity(redeem.blockNumber),
  ])
  // Nodes may omit leading zeros.
  return typeof word === 'string' && /^0x[0-9a-f]{1,64}$/i.test(word) ? pad(word as Hex) : undefined
}

/** `undefined` for zero, and for a word whose upper bytes are not zero. */
function addressOf(word: Hex): Hex | undefined {
  const value = BigInt(word)
  return value === 0n || value >> 160n !== 0n ? undefined : addressIn(word)
}
