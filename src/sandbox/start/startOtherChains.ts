import type { Clock } from '../../core/time/clock.ts'
import { peopleNames } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { withPackage } from '../withPackage.ts'
import { allOrNone } from './allOrNone.ts'
import type { OtherBlockchain } from './chainsToStart.ts'
import type { Closers } from './createClosers.ts'
import { gift, sandboxPeople } from './fundPeople.ts'

/** @throws PackageNotInstalledError when one of these chains needs a package that is not there */
export async function checkPackages(others: readonly OtherBlockchain[]): Promise<void> {
  if (others.includes('stellar')) await importStellar()
}

const importStellar = () =>
  withPackage('@stellar/stellar-sdk', () => import('../chains/stellar/startSandboxStellar.ts'))

/** Starts Solana, Stellar and Tempo as far as they are asked for; the code of each is loaded only then. */
export async function startOtherChains(
  others: readonly OtherBlockchain[],
  options: { service: ServiceKind; creditSeed: string; now: Clock | undefined; closers: Closers },
) {
  const { service, creditSeed, now, closers } = options
  const started = async <chain extends { stop: () => Promise<unknown> }>(
    name: OtherBlockchain,
    start: () => Promise<chain>,
  ): Promise<chain | undefined> => {
    if (!others.includes(name)) return undefined
    const chain = await start()
    closers.add(() => chain.stop())
    return chain
  }
  const solana = started('solana', async () =>
    (await import('../chains/solana/startSandboxSolana.ts')).startSandboxSolana({ names: peopleNames, now }),
  )
  const stellar = started('stellar', async () =>
    (await importStellar()).startSandboxStellar({ names: peopleNames, now }),
  )
  const tempo = started('tempo', async () =>
    (await import('../chains/tempo/startTempoChain.ts')).startTempoChain({
      service,
      creditSeed,
      credits: gift,
      wallets: Object.values(sandboxPeople()).map(({ address }) => address),
    }),
  )
  await allOrNone<unknown>([solana, stellar, tempo])
  return { solana: await solana, stellar: await stellar, tempo: await tempo }
}
