import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { deployer } from './prepareDeployer.ts'

/**
 * What a program needs to use a running sandbox, as plain data: what `--json` prints, and what `--env` writes line by line.
 * The keys in it are worth nothing anywhere else.
 */
export function sandboxSettings(running: RunningSandbox<ServiceKind>): Settings {
  const { url, service, headerPrefix, merchantId, creditSeed, apiKey, jwtSecret, environment, people } =
    running
  const { chains, solana, stellar, tempo } = running
  return {
    url,
    service,
    headerPrefix,
    merchantId,
    creditSeed,
    apiKey,
    jwtSecret,
    environment,
    ...Object.fromEntries(
      Object.values(chains).map(({ blockchain, chainId, rpcUrl, forked, creditsContract, usdc }) => [
        blockchain,
        { chainId, rpcUrl, forked, creditsContract, usdc },
      ]),
    ),
    ...(tempo && {
      tempo: {
        chainId: tempo.chainId,
        rpcUrl: tempo.rpcUrl,
        creditsContract: tempo.creditsContract,
        token: tempo.token,
      },
    }),
    ...(solana && {
      solana: {
        rpcUrl: solana.rpcUrl,
        wsUrl: solana.wsUrl,
        usdcMint: solana.usdcMint,
        ...named(Object.entries(solana.people), ({ address, secretKey }) => ({
          address,
          secretKey: Buffer.from(secretKey).toString('hex'),
        })),
      },
    }),
    ...(stellar && {
      stellar: {
        rpcUrl: stellar.rpcUrl,
        networkPassphrase: stellar.networkPassphrase,
        usdc: `${stellar.usdc.code}:${stellar.usdc.issuer}`,
        ...named(Object.entries(stellar.people), ({ address, secretKey }) => ({ address, secretKey })),
      },
    }),
    ...named(Object.entries(people), ({ address, privateKey }) => ({ address, privateKey })),
    deployer: { address: deployer.account.address, privateKey: deployer.privateKey },
  }
}

export type Settings = { [name: string]: string | number | boolean | Settings }

/**
 * The settings as the lines of a `.env` file: `REDEEMKIT_BASE_RPC_URL=…`. Values are in single quotes where a shell or a
 * reader of such files would take them for something else.
 */
export function envText(settings: Settings): string {
  return `${envHeader}\n${lines('REDEEMKIT', settings).join('\n')}\n`
}

/** First line of a file that `--env` wrote, and may write again. */
export const envHeader = '# Written by "redeemkit sandbox --env". Its keys are worth nothing anywhere else.'

function lines(prefix: string, settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const key = `${prefix}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
    return typeof value === 'object' ? lines(key, value) : [`${key}=${quoted(String(value))}`]
  })
}

function quoted(value: string): string {
  if (/^[\w.:/@-]*$/.test(value)) return value
  return /['\n\r]/.test(value) ? JSON.stringify(value) : `'${value}'`
}

function named<person>(
  entries: readonly [string, person][],
  describe: (person: person) => Settings,
): Settings {
  return Object.fromEntries(entries.map(([name, person]) => [name, describe(person)]))
}
