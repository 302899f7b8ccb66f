import { render } from 'preact';

render(<p>hello</p>, document.body);
