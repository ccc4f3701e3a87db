import type { Clock } from '../../redeemkit/core/time/clock.ts'
import { testAccountNames } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { withPackage } from '../withPackage.ts'
import type { OtherBlockchain } from './chainsToStart.ts'
import { allOrNone, type Closers } from './createClosers.ts'
import { gift, sandboxAccounts } from './fundAccounts.ts'
import type { KeptSettings } from './keptSettings.ts'

/** @throws PackageNotInstalledError when one of these chains needs a package that is not installed */
export async function checkPackages(others: readonly OtherBlockchain[]): Promise<void> {
  if (others.includes('stellar')) await importStellar()
}

const importStellar = () =>
  withPackage('@stellar/stellar-sdk', () => import('../chains/stellar/startSandboxStellar.ts'))

/** Starts the requested chains among Solana, Stellar and Tempo, and loads only their code. */
export async function startOtherChains(
  others: readonly OtherBlockchain[],
  options: {
    service: ServiceKind
    creditSeed: string
    now: Clock | undefined
    closers: Closers
    tempoUrl: string
    ports: KeptSettings['ports']
    allowedOrigins: readonly string[] | undefined
  },
) {
  const { service, creditSeed, now, closers, tempoUrl, ports, allowedOrigins } = options
  const started = async <chain>(
    name: OtherBlockchain,
    start: () => Promise<chain>,
  ): Promise<chain | undefined> => (others.includes(name) ? start() : undefined)
  const closing = <chain extends { stop: () => Promise<unknown> }>(chain: chain): chain => {
    closers.add(() => chain.stop())
    return chain
  }
  const solana = started('solana', async () => {
    const { startSandboxSolana } = await import('../chains/solana/startSandboxSolana.ts')
    return closing(
      await startSandboxSolana({ names: testAccountNames, now, port: ports.solana, allowedOrigins }),
    )
  })
  const stellar = started('stellar', async () => {
    const { startSandboxStellar } = await importStellar()
    return closing(
      await startSandboxStellar({ names: testAccountNames, now, port: ports.stellar, allowedOrigins }),
    )
  })
  const tempo = started('tempo', async () => {
    const { openTempoAnvil } = await import('../chains/tempo/openTempoAnvil.ts')
    const { setUpTempo } = await import('../chains/tempo/startTempoChain.ts')
    const node = await openTempoAnvil()
    closers.add(node.stop)
    const wallets = Object.values(sandboxAccounts()).map(({ address }) => address)
    return {
      node,
      ...(await setUpTempo(node, { service, creditSeed, credits: gift, wallets, url: tempoUrl })),
    }
  })
  await allOrNone<unknown>([solana, stellar, tempo])
  return { solana: await solana, stellar: await stellar, tempo: await tempo }
}
