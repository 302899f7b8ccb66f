import { isObject } from '../../openapi/document.ts';
import { type Mode, modes } from '../core/settings.ts';
import type { Profile } from '../core/target.ts';
import type { Policy } from '../safety/policy.ts';

/** The entries of a profile that the other target offers, too. How a target is reached stays its own. */
export function sharedProfile(own: Profile, other: Profile): Profile {
  const entries = Object.entries(own).flatMap(([name, value]) => {
    const theirs = other[name as keyof Profile];
    if (reachability.has(name)) return [[name, value]];
    if (theirs === undefined || theirs === false) return [];
    return [[name, isObject(value) && isObject(theirs) ? sharedParts(value, theirs) : value]];
  });
  return Object.fromEntries(entries);
}

const reachability = new Set(['receiver', 'recipientDomain', 'keyEnv']);

const sharedParts = (own: object, other: object) =>
  Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(other, name)));

/** The policy that allows only effects that both allow, within the smaller budget. */
export function strictestPolicy(one: Policy, other: Policy): Policy {
  const mode: Mode = modes.find((each) => each === one.mode || each === other.mode) ?? 'read-only';
  return {
    mode,
    allow: new Set([...one.allow].filter((each) => other.allow.has(each))),
    patient: (one.patient ?? false) && (other.patient ?? false),
    ...(one.inputs === false || other.inputs === false ? { inputs: false } : {}),
    maxCreates: Math.min(one.maxCreates, other.maxCreates),
    maxRequests: Math.min(one.maxRequests, other.maxRequests),
    maxFaceValue: Math.min(one.maxFaceValue, other.maxFaceValue),
  };
}
