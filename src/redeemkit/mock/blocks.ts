import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { orderKeyOf } from '../evm/creditPermit/orderKey.ts'
import { shapeOf } from '../evm/transactionData/settlementOf.ts'
import { fundsOf, hashOf, type MockRedeem, type MockWorld, minedAttempt, orderOf } from './mockWorld.ts'

const firstBlock = 1_000
const blockMs = 2_000

/** Blocks are mined every two seconds. */
export function blockNumberAt({ terms }: Pick<MockWorld, 'terms'>, now: number): bigint {
  return BigInt(firstBlock + Math.max(0, Math.floor((now - terms.startedAt) / blockMs)))
}

export function blockOf({ terms }: MockWorld, number: bigint): Record<string, unknown> {
  const at = terms.startedAt + (Number(number) - firstBlock) * blockMs
  return {
    number: toQuantity(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1n),
    timestamp: toQuantity(BigInt(Math.max(0, Math.floor(at / 1000)))),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    baseFeePerGas: '0x3b9aca00',
    transactions: [],
  }
}

export const blockHash = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`

/** Mines every redeem that is due. A redeem reverts because of the settings, a used order or its expiry. */
export function mineRedeems(world: MockWorld): void {
  const { chain, minesAfterMs } = world.settings
  if (chain === 'waits' || chain === 'fails') return
  const now = world.terms.now()
  for (const redeem of world.redeems.values()) {
    if (redeem.status !== 'pending' || redeem.submittedAt + minesAfterMs > now) continue
    redeem.blockNumber = blockNumberAt(world, now)
    const { wallet, nonce } = redeem
    // The contract executes one attempt per order.
    const isUsed =
      world.cancelled.has(orderOf(wallet, nonce)) || minedAttempt(world, wallet, nonce) !== undefined
    const isExpired = BigInt(String(blockOf(world, redeem.blockNumber).timestamp)) >= redeem.validBefore
    redeem.status = chain === 'reverts' || isUsed || isExpired ? 'reverted' : 'mined'
    if (redeem.status === 'reverted') continue
    const funds = fundsOf(world, redeem.wallet)
    funds.credits -= redeem.amount - redeem.usdcAmount + redeem.gasFee
    funds.usdc -= redeem.usdcAmount
  }
}

/** Creates the error with which a node or wallet rejects a request (EIP-1193, EIP-1474): code, message, and the data of a revert. */
export function rpcError(code: number, message: string, data?: Hex): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) })
}

const abi = parseAbi([
  'event Redeemed(address indexed customerWallet, bytes12 indexed orderKey, bytes32 indexed creditSeedHash, bytes32 nonce, uint256 kindAndTarget, uint256 amounts, uint256 refundedAndGasFee)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const nftAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])

type Log = { address: Address; topics: readonly unknown[]; data: Hex }

/** The contracts' logs, in order (PROTOCOL.md 6): the customer's USDC, the shop's payment, the customer's NFT, and `Redeemed`. */
export function logsOf({ terms }: MockWorld, redeem: MockRedeem): Log[] {
  const { wallet, settlement, amount, usdcAmount, gasFee, nonce } = redeem
  const { creditsContract, creditSeed } = terms.pinned
  const usdc = terms.usdc
  const transfer = (from: Address, to: Address, value: bigint): Log[] =>
    usdc === undefined || value === 0n
      ? []
      : [
          {
            address: usdc,
            topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }),
            data: encodeAbiParameters([{ type: 'uint256' }], [value]),
          },
        ]
  const redeemed: Log = {
    address: creditsContract,
    topics: encodeEventTopics({
      abi,
      eventName: 'Redeemed',
      args: { customerWallet: wallet, orderKey: orderKeyOf(nonce), creditSeedHash: hashOf(creditSeed) },
    }),
    data: encodeAbiParameters(parseAbiParameters('bytes32, uint256, uint256, uint256'), [
      nonce,
      (BigInt(settlement.kind) << 160n) | BigInt(settlement.target),
      (amount << 128n) | usdcAmount,
      gasFee,
    ]),
  }
  return [
    ...transfer(wallet, creditsContract, usdcAmount),
    ...transfer(creditsContract, settlement.target, amount),
    ...nftOf(redeem),
    redeemed,
  ]
}

function nftOf({ wallet, settlement, nonce }: MockRedeem): Log[] {
  const { nftContract, nftId } = settlement
  if (nftContract === zeroAddress) return []
  // If the id is not known, derive it from four digits of the nonce.
  const tokenId = shapeOf(settlement).nft === 'token' ? nftId : BigInt(`0x${nonce.slice(-4)}`)
  return [
    {
      address: nftContract,
      topics: encodeEventTopics({
        abi: nftAbi,
        eventName: 'Transfer',
        args: { from: zeroAddress, to: wallet, tokenId },
      }),
      data: '0x',
    },
  ]
}
