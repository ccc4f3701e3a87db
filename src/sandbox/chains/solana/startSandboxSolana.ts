import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import { devAccount } from '../../devAccounts.ts'
import { personOf } from './personOf.ts'
import type { SolanaPerson } from './solanaPerson.ts'
import { startSolana } from './startSolana.ts'

/** The sandbox's Solana chain, with a sponsor and with people who hold USDC and no SOL. */
export type SandboxSolana<name extends string = string> = {
  blockchain: 'solana'
  /** JSON-RPC: an ordinary web3.js `Connection` works. */
  rpcUrl: string
  wsUrl: string
  usdcMint: string
  /** The account that pays fees and rent. */
  sponsor: string
  people: Record<name, SolanaPerson>
  /** Gives a wallet USDC, in raw units of 6 decimals. */
  fundUsdc: (owner: string, amount: bigint) => void
  /** Gives a wallet SOL, in lamports. */
  fundSol: (address: string, lamports: bigint) => void
  usdcOf: (owner: string) => bigint
  /** Lamports. */
  solOf: (address: string) => bigint
  /** Makes every blockhash given out so far too old, and that final. */
  expireBlockhash: () => void
  /** Changes the price of a byte of an account: 6960 at first; SIMD-0437 ends at 696. */
  setLamportsPerByte: (lamports: bigint) => void
}

const gift = 1_000_000_000n
const treasure = 1_000_000_000_000n

/**
 * Starts the Solana chain of a sandbox: people of the given names with 1000 USDC each, their keys the same on
 * every machine.
 *
 * @returns the chain, the service's part of it, and what ends it
 */
export async function startSandboxSolana<const name extends string>(options: {
  names: readonly name[]
  now?: Clock | undefined
  port?: number | undefined
  allowedOrigins?: readonly string[] | undefined
}): Promise<{
  solana: SandboxSolana<name>
  service: { rpcUrl: string; sponsorKey: Uint8Array }
  stop: () => Promise<void>
}> {
  const { now, port, allowedOrigins } = options
  const chain = await startSolana({ now, port, allowedOrigins })
  const sponsor = solanaAccount('sponsor')
  chain.fundSol(sponsor.address, treasure)
  const people = Object.fromEntries(
    options.names.map((name) => {
      const person = solanaAccount(name)
      chain.fundUsdc(person.address, gift)
      return [name, person]
    }),
  ) as Record<name, SolanaPerson> // the same names
  const { rpcUrl, wsUrl, usdcMint, fundUsdc, fundSol, usdcOf, expireBlockhash, setLamportsPerByte } = chain
  return {
    solana: {
      blockchain: 'solana',
      rpcUrl,
      wsUrl,
      usdcMint,
      sponsor: sponsor.address,
      people,
      fundUsdc,
      fundSol,
      usdcOf,
      solOf: (address) => chain.ledger.read(address)?.lamports ?? 0n,
      expireBlockhash,
      setLamportsPerByte,
    },
    service: { rpcUrl, sponsorKey: sponsor.secretKey },
    stop: chain.stop,
  }
}

function solanaAccount(role: string): SolanaPerson {
  return personOf(Buffer.from(devAccount(`solana ${role}`).privateKey.slice(2), 'hex'))
}
