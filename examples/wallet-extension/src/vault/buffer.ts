// The vault's package uses the global `Buffer` of Node. The build inserts this one instead.
export { Buffer } from 'buffer/'
