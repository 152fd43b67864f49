import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectFault } from './redirect-address.ts'

test('answers are sent to https, or to a program on the device of the user, and to no pattern', () => {
  const allowed = [
    'https://app.example.com/callback',
    'https://app.example.com:8443/callback?from=gantry',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8765/callback',
    'http://[::1]:8765/callback',
  ]
  for (const address of allowed) assert.equal(redirectFault(address), undefined, address)
  const refused = [
    '',
    '/callback',
    'app.example.com/callback',
    'http://app.example.com/callback',
    'http://localhost/callback', // a name may lead elsewhere
    'http://127.0.0.1.example.com/callback',
    'https://localhost/callback',
    'https://127.0.0.1/callback',
    'https://*.example.com/callback',
    'https://app.example.com/*',
    'https://app.example.com/callback#',
    'https://app.example.com/callback#part',
    'https://user@app.example.com/callback',
    'https://app.example.com\\@evil.example/callback',
    'https://app.example.com/call back',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/callback',
    'ftp://app.example.com/',
  ]
  for (const address of refused) assert.notEqual(redirectFault(address), undefined, address)
})
