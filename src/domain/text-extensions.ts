/**
 * The extensions whose files are plain text (spec: Upload rules 2), lower case and without the dot: for these alone,
 * for names with no extension and for `.pdf` may an upload send `content`. To accept another, add it here.
 */
const documents = `
  txt text md markdown mdown mkd mdx rst adoc asciidoc org textile wiki mediawiki creole pod rdoc fountain
  log nfo readme license changelog todo asc srt vtt sbv lrc ass ssa eml mbox diff patch`

const data = `
  csv tsv tab psv json json5 jsonc jsonl ndjson geojson topojson jsonld ipynb webmanifest har map avsc
  yaml yml toml ini cfg conf config cnf properties props env envrc editorconfig npmrc nvmrc gitignore gitattributes
  gitmodules dockerignore dockerfile lock sum mod plist reg desktop service timer socket unit rules hosts
  sql ddl dml cypher sparql graphql gql proto thrift avdl xsd dtd rng wsdl ics ical ifb vcf vcard ldif po pot
  strings resx arb xlf xliff tmx gpx kml bibtex ris enw pem csr hcl tf tfvars nomad cue dhall jsonnet
  libsonnet feature robots htaccess zone list lst sfv md5 sha1 sha256 sha512 gv puml
  plantuml mmd mermaid drawio`

const markup = `
  html htm xhtml shtml xml xsl xslt svg rss atom opml mathml css scss sass less styl stylus pcss postcss
  tex latex ltx sty cls bib bst rtf typ haml slim pug jade ejs erb hbs handlebars mustache liquid njk nunjucks twig
  j2 jinja jinja2 tmpl tpl gotmpl vue svelte astro marko cshtml razor jsp aspx ascx jsf ftl vm eex heex leex`

const sourceCode = `
  js mjs cjs jsx ts mts cts tsx es6 coffee litcoffee ls elm purs res resi rei flow
  py pyi pyx pyw pxd ipy rb rbw rake gemspec ru gemfile rakefile php phtml php5 inc pl pm t raku p6
  c h cc cpp cxx c++ hh hpp hxx h++ ino m mm cs csx fs fsi fsx vb vbs bas java kt kts scala sc groovy gradle clj
  cljs cljc edn go rs ron swift dart zig nim nims v vsh d di jai odin cr hx lua luau moon tcl tk r rmd qmd rnw jl
  f f77 f90 f95 f03 f08 for ftn pas pp dpr lpr ada adb ads cob cbl cpy asm s nasm ml mli mll mly hs lhs cabal
  erl hrl ex exs lisp lsp cl el scm ss rkt fnl pro prolog apl sml agda idr lean coq thy
  sh bash zsh fish ksh csh tcsh bats ps1 psm1 psd1 bat cmd awk sed vim vimrc nu makefile mk mak cmake ninja bazel
  bzl build workspace meson just justfile vagrantfile procfile jenkinsfile nix sol vy move cairo wat wast glsl vert
  frag geom comp hlsl wgsl metal cu cuh vhd vhdl sv svh verilog qml gd gdshader applescript ahk au3 nsi iss
  abap apex trigger sas do ado gms mzn`

export type TextKind = 'documents' | 'data' | 'markup' | 'source code'

const kinds = new Map<string, TextKind>()
enter('source code', sourceCode)
enter('documents', documents)
enter('data', data)
enter('markup', markup)

export function textKind(extension: string): TextKind | undefined {
  return kinds.get(extension)
}

function enter(kind: TextKind, extensions: string): void {
  for (const extension of extensions.trim().split(/\s+/)) kinds.set(extension, kind)
}
