import type { Clock } from '../../../redeemkit/core/clock.ts'
import { devAccount } from '../../devAccounts.ts'
import { type SolanaTestAccount, startSolana, testAccountOf } from './startSolana.ts'

/** The sandbox's Solana chain, with a sponsor and with test accounts that hold USDC and no SOL. */
export type SandboxSolana<name extends string = string> = {
  blockchain: 'solana'
  /** JSON-RPC for a web3.js `Connection`. */
  rpcUrl: string
  wsUrl: string
  usdcMint: string
  sponsor: string
  accounts: Record<name, SolanaTestAccount>
  /** Gives a wallet USDC, in raw units (6 decimals). */
  fundUsdc: (owner: string, amount: bigint) => void
  /** Gives a wallet SOL, in lamports. */
  fundSol: (address: string, lamports: bigint) => void
  usdcOf: (owner: string) => bigint
  /** Returns an account's SOL balance, in lamports. */
  solOf: (address: string) => bigint
  /** Expires every blockhash issued so far, and makes the expiry final. */
  expireBlockhash: () => void
  /** Sets the rent per byte of account data: initially 6960; SIMD-0437 lowers it to 696. */
  setLamportsPerByte: (lamports: bigint) => void
}

const testAccountUsdc = 1_000_000_000n
const sponsorLamports = 1_000_000_000_000n

/** Starts a sandbox's Solana chain with a test account of 1000 USDC for each name. Keys are the same on every machine. */
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
  chain.fundSol(sponsor.address, sponsorLamports)
  const accounts = Object.fromEntries(
    options.names.map((name) => {
      const person = solanaAccount(name)
      chain.fundUsdc(person.address, testAccountUsdc)
      return [name, person]
    }),
  ) as Record<name, SolanaTestAccount> // the same names
  const { rpcUrl, wsUrl, usdcMint, fundUsdc, fundSol, usdcOf, expireBlockhash, setLamportsPerByte } = chain
  return {
    solana: {
      blockchain: 'solana',
      rpcUrl,
      wsUrl,
      usdcMint,
      sponsor: sponsor.address,
      accounts,
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

function solanaAccount(role: string): SolanaTestAccount {
  return testAccountOf(Buffer.from(devAccount(`solana ${role}`).privateKey.slice(2), 'hex'))
}
