import type { Address, Hex } from 'viem'
import { showValue } from '../../core/errors/showValue.ts'
import { ChainReadError, callContract, type EvmClient } from '../../evm/client.ts'
import { bytesToHex, stringToBytes } from '../../evm/viem.ts'
import type { Funds } from '../check/checkFunds.ts'
import type { InvalidRedeemRequestError } from '../errors.ts'
import { checkPublicClient } from './redeemKey.ts'

/** `creditsOf(string,address)` of the credits contract. */
const creditsOf = '0x3315505b'
/** `balanceOf(address)` of ERC-20. */
const balanceOf = '0x70a08231'

/** Reads at the newest block. The caller must have validated the options. */
export async function readFunds(client: EvmClient, options: readFunds.Options): Promise<Funds> {
  const { creditsContract, creditSeed, wallet, usdc, field: asked = 'publicClient' } = options
  checkPublicClient(client, asked)
  const owner = wallet.slice(2).toLowerCase().padStart(64, '0')
  const seed = bytesToHex(stringToBytes(creditSeed)).slice(2)
  // head: the text's offset, then the wallet; tail: the text's length, then its bytes
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
    /** Omit it for a contract that exposes no balances. */
    creditsContract?: Address | undefined
    creditSeed: string
    wallet: Address
    /** Omit it if nothing is paid in USDC. */
    usdc?: Address | undefined
    field?: string | undefined
  }
  type ErrorType = ChainReadError | InvalidRedeemRequestError
}

const toWord = (value: number) => value.toString(16).padStart(64, '0')

async function readAmount(
  client: EvmClient,
  { to, data, field, asked }: { to: Address; data: Hex; field: string; asked: string },
): Promise<bigint> {
  const answer = await callContract(client, { to, data }, { field: asked })
  if (answer?.length === 66) return BigInt(answer)
  throw new ChainReadError(
    `${to} returned no balance on this chain: ${answer === undefined ? 'a revert' : showValue(answer)}.`,
    {
      field,
      fix: 'Check the address, and that the public client is on the same chain.',
    },
  )
}
