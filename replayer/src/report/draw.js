'use strict';
// Windows drawn to scale from their rectangles, each control after its kind.
//
// A scene is a Map from a window's number to { shape, parent, owner }. Nothing here makes markup of a text: all is built node by node.

const draw = (() => {
  const NS = 'http://www.w3.org/2000/svg';
  const CAPTION = 0xC00000, THICK = 0x40000, DIALOG_FRAME = 0x400000, BORDER = 0x800000, SYSTEM_MENU = 0x80000;
  const MINIMIZE = 0x20000, MAXIMIZE = 0x10000, CLIENT_EDGE = 0x200, TOOL_WINDOW = 0x80;

  /** An SVG element. */
  function node(name, attributes = {}, ...children) {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }
  const rect = (x, y, w, h, cls, rx = 0) =>
    node('rect', { x, y, width: Math.max(0, w), height: Math.max(0, h), rx, class: cls });
  const line = (d, cls = 'wd-stroke') => node('path', { d, class: cls });
  const words = (text, x, y, cls = '', anchor = 'start') =>
    node('text', { x, y, class: `wd-text ${cls}`, 'text-anchor': anchor }, text);

  /** A caption as a user reads it: without the marks of its keys. */
  const plain = (text) => text.replace(/&(.)/g, '$1').replace(/\t.*/, '').replace(/\s+/g, ' ');

  /** Lines of about a width. */
  function wrap(text, width, most) {
    const lines = [];
    for (const paragraph of text.split(/\r\n|\r|\n/)) {
      let current = '';
      for (const word of paragraph.split(' ')) {
        if (current && (current.length + word.length + 1) * 5.7 > width) {
          lines.push(current);
          current = word;
        } else {
          current = current ? `${current} ${word}` : word;
        }
        if (lines.length >= most) return lines;
      }
      lines.push(current);
      if (lines.length >= most) return lines.slice(0, most);
    }
    return lines;
  }

  /** Where a window's client area begins: told by its frame, and by children that fill it. */
  function inset(shape, kids) {
    const hasCaption = (shape.style & CAPTION) === CAPTION;
    let side = shape.style & THICK ? 4 : shape.style & DIALOG_FRAME ? 3 : shape.style & BORDER ? 1 : 0;
    if (shape.ex_style & CLIENT_EDGE) side += 2;
    const bar = hasCaption ? (shape.ex_style & TOOL_WINDOW ? 16 : 19) : 0;
    let top = side + bar;
    // A child at the very left is docked; others keep a distance.
    const shown = kids.filter((kid) => kid.shape.visible && kid.shape.rect[2] > 0 && kid.shape.rect[0] <= 0);
    if (hasCaption && shown.length) {
      const right = Math.max(...shown.map((kid) => kid.shape.rect[0] + kid.shape.rect[2]));
      const bottom = Math.max(...shown.map((kid) => kid.shape.rect[1] + kid.shape.rect[3]));
      const [across, down] = [shape.rect[2] - right, shape.rect[3] - bottom];
      if (across >= 0 && across <= 20) {
        side = across / 2;
        if (down > side + bar - 4 && down < 110) top = down - side;
      }
    }
    return { side, top, bar: hasCaption ? Math.min(top - side, Math.max(bar, top - side > 30 ? 24 : top - side)) : 0 };
  }

  // One function for each kind of control; w and h are those of the window, kids its children.
  const KINDS = {
    button(out, s, w, h) {
      const isDefault = (s.style & 0xF) === 1;
      out.append(rect(0.5, 0.5, w - 1, h - 1, isDefault ? 'wd-button wd-default' : 'wd-button', 3));
      out.append(words(plain(s.name), w / 2, h / 2 + 4, '', 'middle'));
    },
    check_box(out, s, w, h) {
      const y = h / 2 - 6;
      out.append(rect(0.5, y + 0.5, 12, 12, s.check ? 'wd-mark-on' : 'wd-field', 2.5));
      if (s.check === 1) out.append(line(`M3 ${y + 6.5}l2.6 2.8l4.6 -5.6`, 'wd-tick'));
      if (s.check > 1) out.append(line(`M3.5 ${y + 6.5}h6`, 'wd-tick'));
      out.append(words(plain(s.name), 18, h / 2 + 4));
    },
    radio_button(out, s, w, h) {
      out.append(node('circle', { cx: 6.5, cy: h / 2, r: 6, class: s.check ? 'wd-mark-on' : 'wd-field' }));
      if (s.check) out.append(node('circle', { cx: 6.5, cy: h / 2, r: 2.4, class: 'wd-dot' }));
      out.append(words(plain(s.name), 18, h / 2 + 4));
    },
    group_box(out, s, w, h) {
      const name = plain(s.name), room = name ? name.length * 5.7 + 8 : 0;
      out.append(line(`M${9 + room} 6.5H${w - 4}a3 3 0 0 1 3 3V${h - 4}a3 3 0 0 1 -3 3H3.5a3 3 0 0 1 -3 -3V9.5a3 3 0 0 1 3 -3h4`, 'wd-group'));
      out.append(words(name, 11, 10, 'wd-dim'));
    },
    edit(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-field', h > 40 ? 0 : 2));
      const text = s.masked ? '••••••' : s.text ?? s.name;
      if (s.style & 4) {
        wrap(text, w - 10, Math.ceil(h / 15)).forEach((part, i) => out.append(words(part, 5, 15 + i * 15)));
      } else {
        out.append(words(text.replace(/\s+/g, ' '), 5, h / 2 + 4));
      }
    },
    label(out, s, w, h) {
      const kind = s.style & 0x1F;
      if (kind === 3 || kind === 14) {
        out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-pane', 4), line(`M${w * 0.2} ${h * 0.75}l${w * 0.22} ${-h * 0.3}l${w * 0.16} ${h * 0.18}l${w * 0.14} ${-h * 0.14}l${w * 0.12} ${h * 0.26}z`, 'wd-faint-fill'));
        return;
      }
      if (!s.name) return;
      const [x, anchor] = kind === 1 ? [w / 2, 'middle'] : kind === 2 ? [w, 'end'] : [0, 'start'];
      const lines = h >= 26 ? wrap(plain(s.name), w, Math.floor(h / 13)) : [plain(s.name)];
      lines.forEach((part, i) => out.append(words(part, x, (lines.length > 1 || h >= 26 ? 11 : h / 2 + 4) + i * 14, '', anchor)));
    },
    link(out, s, w, h) {
      out.append(words(plain(s.name).replace(/<[^>]*>/g, ''), 0, h / 2 + 4, 'wd-link'));
    },
    combo(out, s, w, h) {
      const tall = Math.min(h, 24);
      out.append(rect(0.5, 0.5, w - 1, tall - 1, 'wd-field', 2));
      out.append(words(s.masked ? '••••••' : s.text ?? s.name, 6, tall / 2 + 4));
      out.append(line(`M${w - 14} ${tall / 2 - 1.5}l4 4l4 -4`));
    },
    list(out, s, w, h) { rows(out, w, h, 0); },
    drop_list(out, s, w, h) { rows(out, w, h, 0); },
    list_view(out, s, w, h, kids) { rows(out, w, h, kids.length ? 18 : 0); },
    tree(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-field'));
      [0, 1, 2, 1, 1, 0, 1].forEach((depth, i) => {
        const y = 12 + i * 17;
        if (y < h - 6) out.append(line(`M${8 + depth * 16} ${y - 2}l3.5 3.5l3.5 -3.5`), rect(22 + depth * 16, y - 4, Math.min(90 - depth * 14, w - 50), 7, 'wd-faint', 3));
      });
    },
    tab(out, s, w, h) {
      out.append(rect(0.5, 22.5, w - 1, h - 23, 'wd-pane', 0));
      [0, 1, 2].forEach((i) => {
        if (i * 76 + 70 < w) out.append(rect(2.5 + i * 74, i ? 4.5 : 1.5, 72, i ? 18 : 22, i ? 'wd-tab' : 'wd-tab wd-tab-on', 3), rect(16 + i * 74, 10, 44, 6, 'wd-faint', 3));
      });
    },
    header(out, s, w, h) {
      out.append(rect(0, 0, w, h, 'wd-head'));
      for (let x = 8; x < w - 30; x += 120) out.append(rect(x, h / 2 - 3, 56, 6, 'wd-faint', 3), line(`M${x + 110} 3V${h - 3}`, 'wd-hair'));
    },
    tool_bar(out, s, w, h) {
      out.append(rect(0, 0, w, h, 'wd-bar'));
      const side = Math.max(10, Math.min(22, h - 6));
      for (let i = 0, x = 5; i < 7 && x + side < w; i++, x += side + (i % 3 === 2 ? 12 : 4)) {
        out.append(rect(x + side * 0.22, (h - side * 0.56) / 2, side * 0.56, side * 0.56, 'wd-faint', 3));
      }
    },
    status_bar(out, s, w, h) {
      out.append(rect(0, 0, w, h, 'wd-bar'), line(`M0 0.5H${w}`, 'wd-hair'), words(s.text ?? s.name, 7, h / 2 + 4, 'wd-dim'));
    },
    track_bar(out, s, w, h) {
      const isUpright = s.style & 2;
      out.append(isUpright ? rect(w / 2 - 2, 6, 4, h - 12, 'wd-faint', 2) : rect(6, h / 2 - 2, w - 12, 4, 'wd-faint', 2));
      out.append(node('circle', { cx: isUpright ? w / 2 : w * 0.35, cy: isUpright ? h * 0.4 : h / 2, r: 6, class: 'wd-button' }));
    },
    scroll_bar(out, s, w, h) {
      const isUpright = h > w;
      out.append(rect(0, 0, w, h, 'wd-bar'));
      out.append(isUpright ? rect(w / 2 - 3, h * 0.15, 6, h * 0.3, 'wd-faint', 3) : rect(w * 0.15, h / 2 - 3, w * 0.3, 6, 'wd-faint', 3));
    },
    spin(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-button', 2));
      out.append(line(`M${w / 2 - 3} ${h / 2 - 3}l3 -3l3 3`), line(`M${w / 2 - 3} ${h / 2 + 3}l3 3l3 -3`));
    },
    date_picker(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-field', 2), words(s.text ?? s.name, 6, h / 2 + 4));
      if (!(s.text ?? s.name)) out.append(rect(8, h / 2 - 3, 20, 6, 'wd-faint', 3), rect(33, h / 2 - 3, 14, 6, 'wd-faint', 3), rect(52, h / 2 - 3, 24, 6, 'wd-faint', 3));
      out.append(rect(w - 19.5, h / 2 - 5.5, 12, 11, 'wd-line', 2), line(`M${w - 19} ${h / 2 - 2}h11`));
    },
    calendar(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-field', 2));
      for (let y = 34; y < h - 10; y += 17) for (let x = 14; x < w - 14; x += 24) out.append(rect(x, y, 10, 6, 'wd-faint', 3));
      out.append(rect(w / 2 - 30, 12, 60, 7, 'wd-faint', 3));
    },
    hot_key(out, s, w, h) { KINDS.edit(out, s, w, h); },
    ip_address(out, s, w, h) { KINDS.edit(out, s, w, h); },
    menu(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-popup', 5));
      for (let y = 8; y < h - 10; y += 20) out.append(rect(12, y + 2, Math.min(w - 40, 60 + (y * 37) % 60), 6, 'wd-faint', 3));
    },
    tool_tip(out, s, w, h) {
      out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-tip', 3), words(s.name, 6, h / 2 + 4));
    },
    other(out, s, w, h, kids) {
      if (/progress/i.test(s.class)) {
        out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-faint', 3), rect(1, 1, w * 0.45, h - 2, 'wd-mark-on', 3));
      } else if (!kids.length && w > 24 && h > 24) {
        out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-canvas', 2), words(s.name || s.class, w / 2, h / 2 + 4, 'wd-dim', 'middle'));
      } else if (s.ex_style & CLIENT_EDGE || s.style & BORDER) {
        out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-pane'));
      }
    },
  };

  function rows(out, w, h, from) {
    out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-field'));
    for (let y = from + 8, i = 0; y < h - 8 && i < 40; y += 18, i++) out.append(line(`M1 ${y + 10.5}H${w - 1}`, 'wd-hair'));
  }

  /** Frame, title bar, perhaps a menu bar. */
  function frame(out, s, w, h, { side, top, bar }) {
    out.append(rect(0.5, 0.5, w - 1, h - 1, 'wd-frame', 6));
    if (!bar) return;
    out.append(line(`M0.5 ${side + bar}V6.5a6 6 0 0 1 6 -6H${w - 6.5}a6 6 0 0 1 6 6V${side + bar}z`, s.enabled ? 'wd-title' : 'wd-title wd-away'));
    const middle = (side + bar) / 2;
    out.append(words(plain(s.name), 10, middle + 4, 'wd-caption'));
    if (s.style & SYSTEM_MENU) {
      let x = w - 17;
      out.append(line(`M${x - 3.5} ${middle - 3.5}l7 7M${x + 3.5} ${middle - 3.5}l-7 7`, 'wd-glyph'));
      if (s.style & MAXIMIZE) out.append(rect((x -= 22) - 3.5, middle - 3.5, 7, 7, 'wd-glyph', 1));
      if (s.style & MINIMIZE) out.append(line(`M${(x -= 22) - 4} ${middle}h8`, 'wd-glyph'));
    }
    const menu = top - side - bar;
    if (menu >= 12) {
      out.append(rect(side, side + bar, w - 2 * side, menu, 'wd-bar'));
      [26, 30, 34, 28].forEach((width, i) => out.append(rect(side + 8 + i * 46, side + bar + menu / 2 - 3, width, 6, 'wd-faint', 3)));
    }
  }

  /** Children of each window, by number. */
  function families(scene) {
    const kids = new Map();
    for (const [id, window] of scene) {
      const key = scene.has(window.parent) ? window.parent : 0;
      if (!kids.has(key)) kids.set(key, []);
      kids.get(key).push({ id, ...window });
    }
    for (const list of kids.values()) list.sort((a, b) => a.id - b.id);
    return kids;
  }

  /** The top-level windows that can be seen, those in front last. */
  function tops(scene, kids = families(scene)) {
    const depth = (window, left = 8) => (left && scene.has(window.owner) ? 1 + depth(scene.get(window.owner), left - 1) : 0);
    return (kids.get(0) ?? [])
      .filter(({ shape: s }) => s.visible && s.rect[2] > 2 && s.rect[3] > 2 && s.rect[0] > -20000)
      .map((window) => ({ ...window, depth: depth(window) + (window.shape.modal ? 0.5 : 0) }))
      .sort((a, b) => a.depth - b.depth || a.id - b.id);
  }

  /** The rectangle around all top-level windows of some scenes. */
  function bounds(...scenes) {
    const rects = scenes.flatMap((scene) => tops(scene).map(({ shape }) => shape.rect));
    if (!rects.length) return [0, 0, 640, 400];
    const [left, top] = [Math.min(...rects.map((r) => r[0])), Math.min(...rects.map((r) => r[1]))];
    const right = Math.max(...rects.map((r) => r[0] + r[2])), bottom = Math.max(...rects.map((r) => r[1] + r[3]));
    return [left - 16, top - 16, right - left + 32, bottom - top + 32];
  }

  const isContainer = (kid) => ['group_box', 'tab', 'other'].includes(kid.shape.control);
  const area = (kid) => kid.shape.rect[2] * kid.shape.rect[3];

  /** One window with all below it. */
  function drawn(window, x, y, kids, depth) {
    const s = window.shape, [, , w, h] = s.rect, own = (kids.get(window.id) ?? []).filter((kid) => kid.shape.visible);
    const out = node('svg', { x, y, width: w, height: h, class: s.enabled ? '' : 'wd-off' });
    const inside = inset(s, own);
    if (depth === 0 && s.control !== 'menu' && s.control !== 'tool_tip' && s.control !== 'drop_list' || inside.bar) frame(out, s, w, h, inside);
    else (KINDS[s.control] ?? KINDS.other)(out, s, w, h, own);
    if (depth < 24) {
      const ordered = [...own.filter(isContainer).sort((a, b) => area(b) - area(a)), ...own.filter((kid) => !isContainer(kid))];
      for (const kid of ordered) {
        // A combo box draws its own edit.
        if (s.control === 'combo' && kid.shape.control === 'edit' && !kid.shape.text) continue;
        out.append(drawn(kid, kid.shape.rect[0] + inside.side, kid.shape.rect[1] + inside.top, kids, depth + 1));
      }
    }
    return out;
  }

  /** Where every window is on the screen. */
  function places(scene) {
    const kids = families(scene), found = new Map();
    const go = (window, x, y, depth) => {
      found.set(window.id, [x, y, window.shape.rect[2], window.shape.rect[3]]);
      const own = (kids.get(window.id) ?? []).filter((kid) => kid.shape.visible);
      const { side, top } = inset(window.shape, own);
      if (depth < 24) own.forEach((kid) => go(kid, x + side + kid.shape.rect[0], y + top + kid.shape.rect[1], depth + 1));
    };
    tops(scene, kids).forEach((window) => go(window, window.shape.rect[0], window.shape.rect[1], 0));
    return found;
  }

  /** The pointer where it was, or in the middle. */
  function pointer(at, window, kids, point) {
    const { side, top } = inset(window.shape, kids.get(window.id) ?? []);
    const x = at[0] + (point ? Math.min(at[2], side + point[0]) : at[2] * 0.5), y = at[1] + (point ? Math.min(at[3], top + point[1]) : at[3] * 0.55);
    return node('path', { d: 'M0 0v15l3.6 -3.4l2.6 6l2.5 -1.1l-2.6 -5.9h5z', transform: `translate(${x} ${y})`, class: 'wd-pointer' });
  }

  /**
   * A scene. `touched` is the window a user acted on, `point` where in it, `keys` that it was with keys, `changed` those that became otherwise, `pictures` real pictures
   * ([window, rectangle, address]) in the place of drawings, `stamp` a word across it all.
   */
  function scene(windows, { box = bounds(windows), touched = 0, point = null, keys = false, changed = new Set(), pictures = null, stamp = '', label = '' }) {
    const out = node('svg', { viewBox: box.join(' '), class: 'wd', role: 'img', 'aria-label': label, preserveAspectRatio: 'xMidYMid meet' });
    const kids = families(windows), found = places(windows);
    if (pictures) {
      for (const [id, [x, y, w, h], address] of pictures) {
        out.append(rect(x - 0.5, y - 0.5, w + 1, h + 1, 'wd-edge'));
        out.append(node('image', { x, y, width: w, height: h, href: address, preserveAspectRatio: 'none' }));
        if (!found.has(id)) found.set(id, [x, y, w, h]);
      }
    } else {
      for (const window of tops(windows, kids)) {
        out.append(drawn(window, window.shape.rect[0], window.shape.rect[1], kids, 0));
      }
    }
    for (const id of changed) {
      const at = found.get(id);
      if (at && id !== touched) out.append(rect(at[0] - 2, at[1] - 2, at[2] + 4, at[3] + 4, 'wd-changed', 4));
    }
    const at = found.get(touched);
    if (at) {
      out.append(rect(at[0] - 3, at[1] - 3, at[2] + 6, at[3] + 6, 'wd-touched', 5));
      if (!keys) out.append(pointer(at, { id: touched, ...windows.get(touched) }, kids, point));
    }
    if (stamp) {
      const [x, y, w, h] = [box[0] + box[2] / 2, box[1] + box[3] / 2, stamp.length * 10.5 + 44, 44];
      out.append(rect(x - w / 2, y - h / 2, w, h, 'wd-stamp', 22), node('text', { x, y: y + 6, class: 'wd-stamp-text', 'text-anchor': 'middle' }, stamp));
    }
    return out;
  }

  return { scene, bounds, families, tops, plain };
})();
