import { isObject } from '../../openapi/document.ts';
import { type Mode, modes } from '../core/mode.ts';
import type { Profile } from '../core/target.ts';
import type { Policy } from '../safety/policy.ts';

/** What both targets offer: entries that one of them lacks are left out of both, and so are parts of an entry. What says how to reach a target stays its own. */
export function offeredByBoth(own: Profile, other: Profile): Profile {
  const entries = Object.entries(own).flatMap(([name, value]) => {
    const theirs = other[name as keyof Profile];
    if (ofOneTarget.has(name)) return [[name, value]];
    if (theirs === undefined || theirs === false) return [];
    return [[name, isObject(value) && isObject(theirs) ? parts(value, theirs) : value]];
  });
  return Object.fromEntries(entries);
}

const ofOneTarget = new Set(['receiver', 'recipientDomain']);

const parts = (own: object, other: object) =>
  Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(other, name)));

/** What either policy allows only if the other does, too, with the smaller budget. */
export function allowedByBoth(one: Policy, other: Policy): Policy {
  const stricter: Mode = modes.find((mode) => mode === one.mode || mode === other.mode) ?? 'read-only';
  const inputs = one.inputs === false || other.inputs === false ? false : (one.inputs ?? other.inputs);
  return {
    mode: stricter,
    allow: new Set([...one.allow].filter((each) => other.allow.has(each))),
    patient: (one.patient ?? false) && (other.patient ?? false),
    ...(inputs === undefined ? {} : { inputs }),
    maxCreates: Math.min(one.maxCreates, other.maxCreates),
    maxRequests: Math.min(one.maxRequests, other.maxRequests),
    maxFaceValue: Math.min(one.maxFaceValue, other.maxFaceValue),
  };
}

/** A budget that is there for two runs, or the part of one. */
export function budgetTimes(policy: Policy, factor: 2 | 0.5): Policy {
  return {
    ...policy,
    maxCreates: Math.floor(policy.maxCreates * factor),
    maxRequests: Math.floor(policy.maxRequests * factor),
    maxFaceValue: policy.maxFaceValue * factor,
  };
}
