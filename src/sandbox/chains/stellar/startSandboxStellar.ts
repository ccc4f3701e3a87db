import { Keypair } from '@stellar/stellar-sdk'
import { networkOf } from '../../../redeemkit/stellar/networks.ts'
import { devAccount } from '../../devAccounts.ts'
import type { Contract } from './host/contract.ts'
import { settlementContract } from './settlementContract.ts'
import { startStellar } from './startStellar.ts'

/** The sandbox's Stellar ledger (a simulation), with sponsors and with people who hold USDC and no XLM. */
export type SandboxStellar<name extends string = string> = {
  blockchain: 'stellar'
  isSimulation: true
  /** An ordinary `rpc.Server` of the SDK works, with `allowHttp`. */
  rpcUrl: string
  horizonUrl: string
  networkPassphrase: string
  usdc: { code: string; issuer: string; contract: string }
  /** The contract that settles payments: merchant contracts take their USDC from it, by `transfer_from`. */
  paymentSettlement: string
  /** Whose USDC payments are settled with. */
  operator: string
  /** The accounts that pay fees: one for each customer who pays at the same time. */
  sponsors: readonly string[]
  people: Record<name, { address: string; secretKey: string }>
  /** Puts an account there, or gives it more, out of nothing: stroops, and USDC in raw units of 7 decimals. */
  fund: (options: {
    address: string
    xlm?: bigint | undefined
    usdc?: bigint | undefined
    sponsored?: boolean | undefined
  }) => void
  balanceOf: (address: string) => { xlm: bigint; usdc: bigint | undefined }
  /** Declares a merchant contract whose functions are TypeScript: `(context, ...args)`, values of the SDK. Returns `C…`. */
  declareContract: (
    functions: Readonly<Record<string, (...args: never[]) => unknown>>,
    name?: string,
  ) => string
  /** Closes ledgers now; what is pending gets into the first. */
  closeLedgers: (count: number) => void
}

const one = 10_000_000n
const sponsorCount = 16

/**
 * Starts the Stellar ledger of a sandbox: people of the given names with 1000 USDC each and no XLM at all, whose reserves
 * somebody else keeps. Their keys are the same on every machine.
 *
 * @returns the ledger, the service's part of it, and what ends it
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
  const people = Object.fromEntries(
    options.names.map((name) => {
      const person = keypair(name)
      const address = person.publicKey()
      chain.fund({ address, xlm: 0n, usdc: 1_000n * one, sponsored: true })
      return [name, { address, secretKey: person.secret() }]
    }),
  ) as Record<name, { address: string; secretKey: string }> // the same names
  const { rpcUrl, horizonUrl, networkPassphrase, fund, balanceOf, closeLedgers } = chain
  return {
    stellar: {
      blockchain: 'stellar',
      isSimulation: true,
      rpcUrl,
      horizonUrl,
      networkPassphrase,
      usdc: { code, issuer, contract },
      paymentSettlement: settlement.contract,
      operator: operator.publicKey(),
      sponsors: sponsors.map((sponsor) => sponsor.publicKey()),
      people,
      fund,
      balanceOf,
      // The SDK's types stay out of the sandbox's own: the SDK is an optional package.
      declareContract: (functions, name) => chain.declareContract(functions as Contract, name),
      closeLedgers,
    },
    service: { rpcUrl, sponsorKeys: sponsors.map((sponsor) => sponsor.secret()), settlement },
    stop: chain.stop,
  }
}

function keypair(role: string): Keypair {
  return Keypair.fromRawEd25519Seed(Buffer.from(devAccount(`stellar ${role}`).privateKey.slice(2), 'hex'))
}
