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
import { hashOf, type MockRedeem, type MockWorld } from './mockWorld.ts'

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
