import type { Address, Hex } from 'viem'
import { showValue } from '../../core/errors/showValue.ts'
import type { EvmClient } from '../../evm/client.ts'
import { ChainReadError, callContract } from '../../evm/client.ts'
import { bytesToHex, stringToBytes } from '../../evm/viem.ts'
import { checkPublicClient } from './checkPublicClient.ts'

/** `creditsOf(string,address)` of the credits contract. */
const creditsOf = '0x3315505b'
/** `balanceOf(address)` of ERC-20. */
const balanceOf = '0x70a08231'

/** What a wallet has for a redeem, raw units: 1 credit dollar and 1 USDC are `1_000_000n`. */
export type RedeemFunds = {
  /** `undefined` when no contract was named. */
  credits: bigint | undefined
  /** `undefined` when no token was named. */
  usdc: bigint | undefined
}

/**
 * Reads a wallet's credits of one seed, when the contract is named, and its USDC, when the token is, in the newest block.
 *
 * @param options checked by the caller
 * @throws ChainReadError when the chain cannot be read, or an address has no such contract: `field` names which;
 * InvalidRedeemRequestError for what is no client
 */
export async function readFunds(client: EvmClient, options: readFunds.Options): Promise<RedeemFunds> {
  const { creditsContract, creditSeed, wallet, usdc, field: asked = 'publicClient' } = options
  checkPublicClient(client, asked)
  const owner = wallet.slice(2).toLowerCase().padStart(64, '0')
  const seed = bytesToHex(stringToBytes(creditSeed)).slice(2)
  // head: offset of the text, wallet; tail: length of the text, its bytes
  const call = `${toWord(64)}${owner}${toWord(seed.length / 2)}${seed.padEnd(Math.ceil(seed.length / 64) * 64, '0')}`
  const [credits, tokens] = await Promise.all([
    creditsContract &&
      readAmount(client, {
        to: creditsContract,
        data: `${creditsOf}${call}`,
        field: 'creditsContract',
        asked,
      }),
    usdc && readAmount(client, { to: usdc, data: `${balanceOf}${owner}`, field: 'usdc', asked }),
  ])
  return { credits, usdc: tokens }
}

export declare namespace readFunds {
  type Options = {
    /** Left out for a contract that tells no balance. */
    creditsContract?: Address | undefined
    creditSeed: string
    wallet: Address
    /** The chain's USDC; left out when nothing is paid in it. */
    usdc?: Address | undefined
    /** What the client is called where the caller gave it. Default `publicClient`. */
    field?: string | undefined
  }
  type ReturnType = RedeemFunds
  type ErrorType = ChainReadError | checkPublicClient.ErrorType
}

const toWord = (value: number) => value.toString(16).padStart(64, '0')

async function readAmount(
  client: EvmClient,
  { to, data, field, asked }: { to: Address; data: Hex; field: string; asked: string },
): Promise<bigint> {
  const answer = await callContract(client, { to, data }, { field: asked })
  if (answer?.length === 66) return BigInt(answer)
  throw new ChainReadError(
    `${to} tells no balance on this chain: it answered with ${answer === undefined ? 'a revert' : showValue(answer)}.`,
    {
      field,
      fix: 'Check the address, and that the public client is on its chain.',
    },
  )
}
