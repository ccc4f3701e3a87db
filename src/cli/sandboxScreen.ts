import { styleText } from 'node:util'
import type { RunningSandbox } from '../sandbox/startSandbox.ts'

/** What a person needs to use a running sandbox, as text. The keys in it are public and worth nothing anywhere else. */
export function sandboxScreen(running: RunningSandbox): string {
  const title = (text: string) => `\n${styleText('bold', text)}`
  const line = (name: string, value: string | number) => `  ${name.padEnd(16)} ${value}`
  const people = Object.values(running.people).flatMap(({ name, address, privateKey }) => [
    line(name, address),
    line('', styleText('dim', privateKey)),
  ])
  const chains = Object.values(running.chains).flatMap((chain) => [
    title(`${chain.blockchain}, chain ${chain.chainId}`),
    line('JSON-RPC', chain.rpcUrl),
    line('credits', chain.creditsContract),
    line('USDC', chain.usdc),
  ])
  return [
    title('The payments service runs on this machine.'),
    line('service', running.url),
    line('merchant id', running.merchantId),
    line('credit seed', running.creditSeed),
    line('API key', running.apiKey),
    ...chains,
    title('People, each with 1000 dollars of credits and 1000 USDC (keys are public)'),
    ...people,
    `\nPress Ctrl+C to stop.`,
  ].join('\n')
}
