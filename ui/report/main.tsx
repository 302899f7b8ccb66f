import { render } from 'preact';
import type { PageData } from '../../conformance/report/page-data.ts';
import { Comparison } from './comparison.tsx';
import { Report } from './report.tsx';

const [page, text] = ['page', 'data'].map((id) => document.getElementById(id));
const data = JSON.parse(text?.textContent ?? '') as PageData;
const [first] = data.documents;
if (page && first)
  render(data.documents.length > 1 ? <Comparison {...data} /> : <Report document={first} exchanges={data.exchanges} />, page);
// The style sheet then hides the text report, which follows.
document.documentElement.dataset.rendered = '';
