import { concat, type Hex, keccak256, numberToHex } from 'viem'
import { redeemCall } from '../call/redeemCall.ts'
import { storageChanges } from '../node/storageChanges.ts'
import { leftBehindOf } from '../report/leftBehindOf.ts'
import { assumedRequest } from '../run/assumedRequest.ts'
import { mostTransactionGas, overridesOf } from '../run/runPlan.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { tokenMoves } from '../trace/tokenMoves.ts'
import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `RECEIVER_NOT_CUSTOMER` of a normal call that does not name the customer: a contract keeps its caller in storage, as a balance of
 * `msg.sender` or as the owner of what was sold, and that is the credits contract.
 */
export const payerKept: EconomicJudge = async (context) => {
  const { call, execution, redeem, settlement, frame, creditsContract, usdc } = context
  if (redeem.shape !== 'normal' || call === undefined || !execution.succeeded) return []
  if (settlement.data.toLowerCase().includes(redeem.wallet.slice(2).toLowerCase())) return []
  if (tokenMoves(frame).some(({ to }) => sameAddress(to, redeem.wallet))) return []
  // A token that stays behind is kept, too, and another rule says so.
  if (leftBehindOf(context).length > 0) return []
  const slots = slotsOf(creditsContract, settlement.data)
  const payer = creditsContract.slice(2).toLowerCase()
  const changes = await changesOf(context)
  const kept = changes.find(
    ({ address, slot, value }) =>
      ![usdc, creditsContract, redeem.wallet].some((other) => sameAddress(other, address)) &&
      (slots.has(BigInt(slot)) || value.toLowerCase().includes(payer)),
  )
  if (kept === undefined) return []
  return [
    ruleFinding(
      'warning',
      'RECEIVER_NOT_CUSTOMER',
      `The call data does not name the customer, and ${kept.address} keeps msg.sender, the credits contract, in its storage: what it holds for msg.sender, nobody gets.`,
      "Take the receiver as a parameter, and put the customer's address into the call data, unless something else there says who gets it.",
    ),
  ]
}

async function changesOf({ plan, redeem }: EconomicContext) {
  return storageChanges(plan.client, {
    from: redeem.relayer,
    ...redeemCall(plan, assumedRequest(plan.request)),
    gas: mostTransactionGas,
    blockNumber: plan.blockNumber,
    overrides: overridesOf({ ...plan, signatures: 'assumed' }),
  })
}

/**
 * Where something of an account stands in mappings: a compiler hashes the key with the place of the mapping. Structs take some
 * words; of a mapping in a mapping the other key is taken to be a word of the call data.
 */
function slotsOf(account: Hex, data: Hex): ReadonlySet<bigint> {
  const words = [...new Set(data.slice(10).match(/.{64}/g) ?? [])].slice(0, mostWords)
  const keys = words.map((word) => BigInt(`0x${word}`))
  const places = [...Array.from({ length: mostPlaces }, (_, place) => BigInt(place)), ...namespaces]
  const found = new Set<bigint>()
  const add = (slot: bigint) => {
    for (let word = 0n; word < structWords; word++) found.add(slot + word)
  }
  for (const place of places) {
    const own = slotIn(place, BigInt(account))
    add(own)
    for (const key of keys) {
      add(slotIn(own, key))
      add(slotIn(slotIn(place, key), BigInt(account)))
    }
  }
  return found
}

const slotIn = (mapping: bigint, key: bigint) =>
  BigInt(keccak256(concat([numberToHex(key, { size: 32 }), numberToHex(mapping, { size: 32 })])))

const mostPlaces = 64
const mostWords = 8
const structWords = 4n
/** The balances of OpenZeppelin's upgradeable ERC-20 and ERC-721 (EIP-7201). */
const namespaces = [
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
  0x80bb2b638cc20bc4d0a60d66940f3ab4a00c1d7b313497ca82fb0b4ab0079303n,
]
