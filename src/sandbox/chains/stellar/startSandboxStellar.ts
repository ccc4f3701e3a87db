import { networkOf } from '../../../redeemkit/stellar/networks.ts'
import { fromSdk, Keypair } from '../../../redeemkit/stellar/sdk.ts'
import { devAccount } from '../../devAccounts.ts'
import type { Contract } from './ledger/contract.ts'
import { settlementContract } from './settlementContract.ts'
import { startStellar } from './startStellar.ts'

/** The sandbox's simulated Stellar ledger, with sponsors and with test accounts that hold USDC and no XLM. */
export type SandboxStellar<name extends string = string> = {
  blockchain: 'stellar'
  isSimulation: true
  /** URL for the SDK's `rpc.Server`, with `allowHttp`. */
  rpcUrl: string
  networkPassphrase: string
  usdc: { code: string; issuer: string; contract: string }
  /** The contract that settles payments. Merchant contracts take their USDC from it with `transfer_from`. */
  paymentSettlement: string
  operator: string
  /** The accounts that pay fees: one for each concurrent payment. */
  sponsors: readonly string[]
  accounts: Record<name, { address: string; secretKey: string }>
  /** Adds XLM (stroops) and USDC (raw units, 7 decimals) to an account, which is created if needed. */
  fund: (options: {
    address: string
    xlm?: bigint | undefined
    usdc?: bigint | undefined
    sponsored?: boolean | undefined
  }) => void
  balanceOf: (address: string) => { xlm: bigint; usdc: bigint | undefined }
  /** Declares a merchant contract with TypeScript functions `(context, ...args)` on the SDK's values. Returns its `C…` address. */
  declareContract: (
    functions: Readonly<Record<string, (...args: never[]) => unknown>>,
    name?: string,
  ) => string
  /** Closes ledgers immediately. The first one includes the pending transactions. */
  closeLedgers: (count: number) => void
}

const one = 10_000_000n
const sponsorCount = 16

/**
 * Starts a sandbox's Stellar ledger. Each name gets a test account with 1000 USDC, no XLM and sponsored reserves. The keys are the same on
 * every machine.
 */
export async function startSandboxStellar<const name extends string>(options: {
  names: readonly name[]
  now?: (() => number) | undefined
  port?: number | undefined
  allowedOrigins?: readonly string[] | undefined
}): Promise<{
  stellar: SandboxStellar<name>
  service: {
    rpcUrl: string
    sponsorKeys: readonly string[]
    settlement: { contract: string; operatorKey: string }
  }
  stop: () => Promise<void>
}> {
  const { now, port, allowedOrigins } = options
  const chain = await startStellar({ now, port, allowedOrigins })
  const { code, issuer, contract } = networkOf('sandbox').usdc
  const sponsors = Array.from({ length: sponsorCount }, (_, index) => keypair(`sponsor ${index}`))
  for (const sponsor of sponsors) chain.fund({ address: sponsor.publicKey(), xlm: 10_000n * one })
  const operator = keypair('operator')
  chain.fund({ address: operator.publicKey(), xlm: 10_000n * one, usdc: 1_000_000n * one })
  const settlement = {
    contract: chain.declareContract(
      settlementContract({ operator: operator.publicKey(), usdc: contract }),
      'payment settlement',
    ),
    operatorKey: operator.secret(),
  }
  const accounts = Object.fromEntries(
    options.names.map((name) => {
      const key = keypair(name)
      const address = key.publicKey()
      chain.fund({ address, xlm: 0n, usdc: 1_000n * one, sponsored: true })
      return [name, { address, secretKey: key.secret() }]
    }),
  ) as Record<name, { address: string; secretKey: string }> // the same names
  const { rpcUrl, networkPassphrase, fund, balanceOf, closeLedgers } = chain
  return {
    stellar: {
      blockchain: 'stellar',
      isSimulation: true,
      rpcUrl,
      networkPassphrase,
      usdc: { code, issuer, contract },
      paymentSettlement: settlement.contract,
      operator: operator.publicKey(),
      sponsors: sponsors.map((sponsor) => sponsor.publicKey()),
      accounts,
      fund,
      balanceOf,
      // Own types, because the SDK is an optional dependency.
      declareContract: (functions, name) => chain.declareContract(fromSdk(functions as Contract), name),
      closeLedgers,
    },
    service: { rpcUrl, sponsorKeys: sponsors.map((sponsor) => sponsor.secret()), settlement },
    stop: chain.stop,
  }
}

function keypair(role: string): Keypair {
  return Keypair.fromRawEd25519Seed(Buffer.from(devAccount(`stellar ${role}`).privateKey.slice(2), 'hex'))
}
