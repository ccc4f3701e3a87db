import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import type { OpenAnvil } from '../chains/anvil/openAnvil.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { SandboxControls } from '../runningSandbox.ts'
import { maxAdvanceSeconds } from '../service/controls/clock.ts'
import type { MovableClock } from '../store/movableClock.ts'
import { createSnapshots } from './createSnapshots.ts'
import { deployTo } from './deployTo.ts'
import { giveTo } from './fundAccounts.ts'
import type { OpenSandbox } from './openSandbox.ts'
import type { StartedChain } from './startEvmChains.ts'

export function controls(parts: {
  sandbox: OpenSandbox
  clock: MovableClock
  creditSeed: string
  chains: readonly StartedChain[]
  tempo: { node: Pick<OpenAnvil, 'ask'> } | undefined
  others: readonly (string | undefined)[]
}): SandboxControls {
  const { sandbox, clock, creditSeed, chains, tempo, others } = parts
  const { mintCredits, mintUsdc, fund } = giveTo(chains, { creditSeed })
  const { beside } = sandbox
  return {
    now: () => clock(),
    increaseTime: async (seconds) => {
      if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > maxAdvanceSeconds)
        throw new InvalidSandboxOptionsError(`seconds is ${showValue(seconds)}.`, {
          field: 'seconds',
          fix: `Pass a whole number from 0 to ${maxAdvanceSeconds}. Time cannot move backwards.`,
        })
      await sandbox.advance(seconds * 1000)
    },
    ...createSnapshots({
      sandbox,
      clock,
      nodes: [...chains.map(({ node }) => node), ...(tempo === undefined ? [] : [tempo.node])],
      others: others.filter((name) => name !== undefined),
    }),
    mintCredits: (gift) => beside(() => mintCredits(gift)),
    mintUsdc: (gift) => beside(() => mintUsdc(gift)),
    fund: (funds) => beside(() => fund(funds)),
    deploy: (contract) => beside(() => deployTo(chains, contract)),
  }
}
