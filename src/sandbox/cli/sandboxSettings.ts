import { access, chmod, constants, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createPublicClient, http } from 'viem'
import { devAccount } from '../devAccounts.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'

/** `--json` prints these settings and `--env` writes them. The keys hold no real funds. */
export function sandboxSettings(running: RunningSandbox<ServiceKind>): Settings {
  const { url, service, headerPrefix, merchantId, creditSeed, apiKey, jwtSecret, environment, accounts } =
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
        ...named(Object.entries(solana.accounts), ({ address, secretKey }) => ({
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
        ...named(Object.entries(stellar.accounts), ({ address, secretKey }) => ({ address, secretKey })),
      },
    }),
    ...named(Object.entries(accounts), ({ address, privateKey }) => ({ address, privateKey })),
    deployer: { address: deployer.account.address, privateKey: deployer.privateKey },
  }
}

export type Settings = { [name: string]: string | number | boolean | Settings }

/** Formats the settings as a `.env` file, such as `REDEEMKIT_BASE_RPC_URL=…`. Quotes values that shells or parsers would misread. */
export function envText(settings: Settings): string {
  return `${envHeader}\n${lines('REDEEMKIT', settings).join('\n')}\n`
}

/** `--env` overwrites only files that begin with this line. */
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

/** Only its owner can read the file. */
export async function writeEnvFile(file: string, text: string): Promise<void> {
  await checkEnvFile(file)
  try {
    await writeFile(file, text, { mode: 0o600 })
    // Set explicitly, because writing to an existing file does not change its mode.
    await chmod(file, 0o600)
  } catch (cause) {
    throw problem(file, 'cannot be written', cause)
  }
}

export async function checkEnvFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw problem(file, 'cannot be read', cause)
  })
  try {
    const folder = dirname(resolve(file))
    if (!(await stat(folder)).isDirectory()) throw new Error('no folder')
    await access(text === undefined ? folder : file, constants.W_OK)
  } catch (cause) {
    throw problem(file, 'cannot be written', cause)
  }
  if (text !== undefined && text !== '' && !text.startsWith(envHeader))
    throw problem(file, 'was not written by the sandbox')
}

function problem(file: string, what: string, cause?: unknown): InvalidSandboxOptionsError {
  return new InvalidSandboxOptionsError(`The file ${resolve(file)} ${what}.`, {
    field: '--env',
    fix: 'Pass a separate file, such as .env.sandbox, in a writable folder.',
    cause,
  })
}

/** The account for deploying your own contracts from the command line. Its key is public and the same on every machine. */
export const deployer = devAccount('deployer')

/** Gives the deployer native coin on each EVM chain of the sandbox where its balance is low. Test accounts have no native coin. */
export async function prepareDeployer(running: RunningSandbox<ServiceKind>): Promise<void> {
  const { address } = deployer.account
  await Promise.all(
    Object.values(running.chains).map(async ({ blockchain, rpcUrl }) => {
      const balance = await createPublicClient({ transport: http(rpcUrl) }).getBalance({ address })
      if (balance < wanted / 2n) await running.fund({ wallet: address, coin: wanted - balance, blockchain })
    }),
  )
}

const wanted = 10_000n * 10n ** 18n
