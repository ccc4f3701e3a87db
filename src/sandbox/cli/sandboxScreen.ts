import { styleText } from 'node:util'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { deployer } from './sandboxSettings.ts'

/** Formats the settings of a running sandbox for a terminal. The keys shown are public and hold no real funds. */
export function sandboxScreen(running: RunningSandbox<ServiceKind>): string {
  const title = (text: string) => `\n${styleText('bold', text)}`
  const line = (name: string, value: string | number) => `  ${name.padEnd(16)} ${value}`
  const accounts = Object.values(running.accounts).flatMap(({ name, address, privateKey }) => [
    line(name, address),
    line('', styleText('dim', privateKey)),
  ])
  const chains = Object.values(running.chains).flatMap((chain) => [
    title(
      `${chain.blockchain}, chain ${chain.chainId}${chain.forked ? `, forked at block ${chain.forked.blockNumber}` : ''}`,
    ),
    line('JSON-RPC', chain.rpcUrl),
    line('credits contract', chain.creditsContract),
    line('USDC', chain.usdc),
  ])
  const { solana, stellar, tempo } = running
  const others = [
    ...(solana === undefined
      ? []
      : [
          title('solana, devnet'),
          line('JSON-RPC', solana.rpcUrl),
          line('USDC mint', solana.usdcMint),
          ...Object.entries(solana.accounts).flatMap(([name, { address, secretKey }]) => [
            line(name, address),
            line('', styleText('dim', Buffer.from(secretKey).toString('hex'))),
          ]),
        ]),
    ...(stellar === undefined
      ? []
      : [
          title('stellar, testnet (a simulated ledger)'),
          line('RPC', stellar.rpcUrl),
          line('USDC', `${stellar.usdc.code}:${stellar.usdc.issuer}`),
          ...Object.entries(stellar.accounts).flatMap(([name, { address, secretKey }]) => [
            line(name, address),
            line('', styleText('dim', secretKey)),
          ]),
        ]),
    ...(tempo === undefined
      ? []
      : [
          title(`tempo, chain ${tempo.chainId}: credits only`),
          line('JSON-RPC', tempo.rpcUrl),
          line('credits contract', tempo.creditsContract),
          line('pathUSD', tempo.token),
          line('customer', tempo.accounts.key.address),
          line('', styleText('dim', tempo.accounts.key.privateKey)),
        ]),
  ]
  return [
    title('The payments service is running on this machine.'),
    line('service', running.url),
    line('dashboard', `${running.url}/dashboard`),
    line('API reference', `${running.url}/reference`),
    ...(running.service === 'randomNonce' ? [line('permits', 'random nonces: pin intentBound: false')] : []),
    line('header prefix', running.headerPrefix),
    line('merchant id', running.merchantId),
    line('credit seed', running.creditSeed),
    line('API key', running.apiKey),
    line('JWT secret', running.jwtSecret),
    ...running.merchants
      .slice(1)
      .flatMap(({ merchantId, creditSeed, apiKey, jwtSecret }) => [
        title(`merchant ${merchantId}`),
        line('credit seed', creditSeed),
        line('API key', apiKey),
        line('JWT secret', jwtSecret),
      ]),
    ...chains,
    ...others,
    title('Test accounts, each with 1000 dollars of credits and 1000 USDC (their keys are public)'),
    ...accounts,
    title('Deployer for your contracts, with native coin for gas (its key is public)'),
    line('deployer', deployer.account.address),
    line('', styleText('dim', deployer.privateKey)),
    `\nPress Ctrl+C to stop.`,
  ].join('\n')
}
