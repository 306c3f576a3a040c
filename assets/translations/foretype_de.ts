<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name></name>
    <message>
        <source>No model is at work yet. Choose one in the Model menu; then this begins.</source>
        <translation>Noch ist kein Modell geladen. Wähle eines im Menü „Modell“; dann geht es hier los.</translation>
    </message>
    <message>
        <source>The model reads your text…</source>
        <translation>Das Modell liest deinen Text&#xa0;…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Next token: probability from the model, and after the settings</source>
        <translation>Nächstes Token: Wahrscheinlichkeit nach dem Modell und nach den Einstellungen</translation>
    </message>
    <message>
        <source>dropped by {dropped_by}</source>
        <translation>weggelassen durch {dropped_by}</translation>
    </message>
    <message>
        <source>, drawn</source>
        <translation>, gezogen</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>to draw</source>
        <translation>zu ziehen</translation>
    </message>
    <message>
        <source>all others; {count:,} of them can be drawn</source>
        <translation>alle anderen; {count:,} davon können gezogen werden</translation>
    </message>
    <message>
        <source>all others, dropped</source>
        <translation>alle anderen, weggelassen</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>Not drawn yet</source>
        <translation>Noch nicht gezogen</translation>
    </message>
    <message>
        <source>← → step    Space plays    ↑ ↓ Enter choose by hand    Ctrl+Enter accepts    Esc leaves</source>
        <translation>← → Schritt    Leertaste spielt ab    ↑ ↓ Enter von Hand wählen    Strg+Enter übernimmt    Esc verlässt</translation>
    </message>
    <message>
        <source>What the model keeps of every token it has read, its keys and values, so that one more token costs one step and not all of them again.  Going back only shortens it.  Hidden before your text: end-of-text, and at the beginning of a page a preface of everyday sentences.</source>
        <translation>Was das Modell von jedem gelesenen Token behält, Schlüssel und Werte (keys and values), damit ein weiteres Token nur einen Schritt kostet und nicht alle noch einmal.  Zurückgehen kürzt ihn nur.  Verborgen vor deinem Text: das Zeichen „Textende“ und am Anfang einer Seite ein Vorspann aus Alltagssätzen.</translation>
    </message>
    <message>
        <source>The chain rule: the probability of all the tokens together is the product of the probability of each, given all before it.  The figures are the model&apos;s own, before the settings.</source>
        <translation>Die Kettenregel: Die Wahrscheinlichkeit aller Tokens zusammen ist das Produkt der Wahrscheinlichkeiten jedes einzelnen, gegeben alle davor.  Die Zahlen sind die des Modells, vor den Einstellungen.</translation>
    </message>
    <message>
        <source>How This Works</source>
        <translation>Wie das geht</translation>
    </message>
    <message>
        <source>Beside Greedy</source>
        <translation>Greedy daneben</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Always the likeliest</source>
        <translation>Immer das wahrscheinlichste (greedy)</translation>
    </message>
    <message>
        <source>Drawn, seed {seed}</source>
        <translation>Gezogen, Startwert {seed}</translation>
    </message>
    <message>
        <source>Demonstration</source>
        <translation>Demonstration</translation>
    </message>
    <message>
        <source>What is happening</source>
        <translation>Was gerade geschieht</translation>
    </message>
    <message>
        <source>The same text, always taking the likeliest token</source>
        <translation>Derselbe Text, immer mit dem wahrscheinlichsten Token</translation>
    </message>
    <message>
        <source>Branches and their probabilities</source>
        <translation>Zweige und ihre Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Chain rule</source>
        <translation>Kettenregel</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Nächstes Token</translation>
    </message>
    <message>
        <source>Settings, in the order they apply, and what they make of one token</source>
        <translation>Wie die Einstellungen nacheinander auf ein Token wirken</translation>
    </message>
    <message>
        <source>Tokens in the cache</source>
        <translation>Tokens im Zwischenspeicher</translation>
    </message>
    <message>
        <source>Cache of keys and values</source>
        <translation>Zwischenspeicher der Schlüssel und Werte</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Key: {keys}</source>
        <translation>Taste: {keys}</translation>
    </message>
    <message>
        <source>Text with what is generated</source>
        <translation>Text mit dem, was erzeugt wurde</translation>
    </message>
    <message>
        <source>Generated: {text}</source>
        <translation>Erzeugt: {text}</translation>
    </message>
    <message>
        <source>Nothing generated yet</source>
        <translation>Noch nichts erzeugt</translation>
    </message>
    <message>
        <source>What the model itself expects: the softmax of its scores, before any setting.</source>
        <translation>Was das Modell selbst erwartet: Softmax seiner Werte, vor jeder Einstellung.</translation>
    </message>
    <message>
        <source>Divides the model&apos;s scores before they become probabilities.  Below 1 the likely becomes likelier, above 1 the unlikely does; 0 always takes the likeliest.</source>
        <translation>Teilt die Werte des Modells, bevor sie zu Wahrscheinlichkeiten werden.  Unter 1 wird Wahrscheinliches wahrscheinlicher, über 1 Unwahrscheinliches; 0 nimmt immer das wahrscheinlichste.</translation>
    </message>
    <message>
        <source>Applied second: keep so many of the likeliest tokens.  0 keeps all.</source>
        <translation>Wirkt als Zweites: so viele der wahrscheinlichsten Tokens behalten.  0 behält alle.</translation>
    </message>
    <message>
        <source>Applied third: keep the fewest likeliest tokens that together hold this probability.</source>
        <translation>Wirkt als Drittes: die wenigsten wahrscheinlichsten Tokens behalten, die zusammen diese Wahrscheinlichkeit haben.</translation>
    </message>
    <message>
        <source>Applied last: drop tokens below this fraction of the likeliest one&apos;s probability.</source>
        <translation>Wirkt zuletzt: Tokens unter diesem Bruchteil der Wahrscheinlichkeit des wahrscheinlichsten weglassen.</translation>
    </message>
    <message>
        <source>Where the random numbers begin.  The same text, model, settings and seed give the same tokens.</source>
        <translation>Wo die Zufallszahlen beginnen.  Gleicher Text, gleiches Modell, gleiche Einstellungen und gleicher Startwert geben gleiche Tokens.</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>New Seed</source>
        <translation>Anderer</translation>
    </message>
    <message>
        <source>The token after {name}</source>
        <translation>Das Token nach {name}</translation>
    </message>
    <message>
        <source>Tokens left after {name}</source>
        <translation>Tokens, die nach {name} übrig sind</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Temperature, in hundredths</source>
        <translation>Temperatur in Hundertsteln</translation>
    </message>
    <message>
        <source>Begin the random numbers elsewhere (N)</source>
        <translation>Zufallszahlen anderswo beginnen (N)</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>{count:,} left</source>
        <translation>{count:,} übrig</translation>
    </message>
    <message>
        <source>drawn with</source>
        <translation>gezogen mit</translation>
    </message>
    <message>
        <source>the likeliest</source>
        <translation>das wahrscheinlichste</translation>
    </message>
    <message>
        <source>chosen by hand</source>
        <translation>von Hand gewählt</translation>
    </message>
    <message>
        <source>Branches: every way that was tried</source>
        <translation>Zweige: alle versuchten Wege</translation>
    </message>
    <message numerus="yes">
        <source>%n branches</source>
        <translation>
            <numerusform>%n Zweig</numerusform>
            <numerusform>%n Zweige</numerusform>
        </translation>
    </message>
    <message>
        <source>The text, before the first token</source>
        <translation>Der Text, vor dem ersten Token</translation>
    </message>
    <message>
        <source>{piece}: {how}{number}; model {probability}, to draw {chance}</source>
        <translation>{piece}: {how}{number}; Modell {probability}, zu ziehen {chance}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>The chain rule begins with the first token.</source>
        <translation>Die Kettenregel beginnt mit dem ersten Token.</translation>
    </message>
    <message>
        <source>ln P = {log_probability} nats, {mean} a token</source>
        <translation>ln P = {log_probability} nats, {mean} je Token</translation>
    </message>
    <message>
        <source>{nats}  ·  perplexity {perplexity:,.2f}</source>
        <translation>{nats}  ·  Perplexität {perplexity:,.2f}</translation>
    </message>
    <message>
        <source>With these settings the same words had a chance of {log_chance}</source>
        <translation>Mit diesen Einstellungen hatten dieselben Wörter eine Aussicht von {log_chance}</translation>
    </message>
    <message>
        <source>{tokens:,} of {room:,} tokens  ·  {size_mb:,.2f} MB ({each_kb:,.1f} kB a token)</source>
        <translation>{tokens:,} von {room:,} Tokens  ·  {size_mb:,.2f} MB ({each_kb:,.1f} kB je Token)</translation>
    </message>
    <message>
        <source>No number is drawn: temperature 0 always takes the likeliest, {token}</source>
        <translation>Es wird keine Zahl gezogen: Temperatur 0 nimmt immer das wahrscheinlichste, {token}</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens are left to draw from; entropy of the model {entropy_bits:.2f} bits</source>
        <translation>
            <numerusform>%n Token bleibt zum Ziehen; Entropie des Modells {entropy_bits:.2f} Bit</numerusform>
            <numerusform>%n Tokens bleiben zum Ziehen; Entropie des Modells {entropy_bits:.2f} Bit</numerusform>
        </translation>
    </message>
    <message>
        <source>The end</source>
        <translation>Das Ende</translation>
    </message>
    <message>
        <source>Add  {piece}</source>
        <translation>Anfügen:  {piece}</translation>
    </message>
    <message>
        <source>Take the likeliest</source>
        <translation>Wahrscheinlichstes nehmen</translation>
    </message>
    <message>
        <source>{name}:  ln P = {log_probability}</source>
        <translation>{name}:  ln P = {log_probability}</translation>
    </message>
    <message>
        <source>The model has ended the text here. Go back with ← and take another way.</source>
        <translation>Das Modell hat den Text hier beendet. Gehe mit ← zurück und nimm einen anderen Weg.</translation>
    </message>
    <message>
        <source>Temperature 0 draws nothing: {token} is the likeliest. Press → to add it.</source>
        <translation>Temperatur 0 zieht nichts: {token} ist das wahrscheinlichste. → fügt es an.</translation>
    </message>
    <message>
        <source>The random number {draw:.4f} falls on {token}. Press → to add it, or click another.</source>
        <translation>Die Zufallszahl {draw:.4f} trifft {token}. → fügt es an; oder klicke ein anderes an.</translation>
    </message>
    <message>
        <source>The model has read your text and gives every token a probability. Press → to draw one.</source>
        <translation>Das Modell hat deinen Text gelesen und gibt jedem Token eine Wahrscheinlichkeit. → zieht eines.</translation>
    </message>
    <message>
        <source>{last} belongs to the text now, and the model has read it. Press → to draw again.</source>
        <translation>{last} gehört jetzt zum Text, und das Modell hat es gelesen. → zieht wieder.</translation>
    </message>
    <message>
        <source>a token in {seconds:g} seconds</source>
        <translation>ein Token in {seconds:g} Sekunden</translation>
    </message>
    <message>
        <source>1 token a second</source>
        <translation>1 Token je Sekunde</translation>
    </message>
    <message>
        <source>{tokens:g} tokens a second</source>
        <translation>{tokens:g} Tokens je Sekunde</translation>
    </message>
    <message>
        <source>The demonstration stopped: {err}</source>
        <translation>Die Demonstration wurde abgebrochen: {err}</translation>
    </message>
    <message>
        <source>{name} is no longer there. Saving makes it again.</source>
        <translation>{name} ist nicht mehr da. Speichern legt die Datei wieder an.</translation>
    </message>
    <message>
        <source> Your unsaved changes can be brought back with Undo.</source>
        <translation> Deine nicht gespeicherten Änderungen lassen sich mit „Rückgängig“ zurückholen.</translation>
    </message>
    <message>
        <source>{name} was changed by another program. Load what it wrote?</source>
        <translation>Ein anderes Programm hat {name} geändert. Dessen Fassung laden?</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Keep Mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>{name} is stored as {encoding}, which has no {character!r}; save it as UTF-8, or remove that character</source>
        <translation>{name} ist als {encoding} gespeichert, darin gibt es {character!r} nicht; speichere als UTF-8 oder entferne das Zeichen</translation>
    </message>
    <message>
        <source>the file is read-only</source>
        <translation>die Datei ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Could not save {path}: {reason}. The file on disk is unchanged; choose another place with Save As</source>
        <translation>{path} konnte nicht gespeichert werden: {reason}. Die Datei auf dem Datenträger ist unverändert; wähle mit „Speichern unter“ einen anderen Ort</translation>
    </message>
    <message>
        <source>{path} is a folder; choose a text file in it</source>
        <translation>{path} ist ein Ordner; wähle eine Textdatei darin</translation>
    </message>
    <message>
        <source>{path} is not a regular file; choose a text file</source>
        <translation>{path} ist keine gewöhnliche Datei; wähle eine Textdatei</translation>
    </message>
    <message>
        <source>{path} has {size:,} bytes; Foretype opens at most {most:,}. Split the file first</source>
        <translation>{path} hat {size:,} Byte; Foretype öffnet höchstens {most:,}. Teile die Datei zuerst</translation>
    </message>
    <message>
        <source>Could not open {path}: {reason}</source>
        <translation>{path} konnte nicht geöffnet werden: {reason}</translation>
    </message>
    <message>
        <source>{name} is marked as {encoding} but is not valid {encoding}</source>
        <translation>{name} ist als {encoding} gekennzeichnet, ist aber kein gültiges {encoding}</translation>
    </message>
    <message>
        <source>{name} is not a text file; Foretype opens plain text and Markdown</source>
        <translation>{name} ist keine Textdatei; Foretype öffnet reinen Text und Markdown</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Select &amp;All</source>
        <translation>A&amp;lles auswählen</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen&#xa0;…</translation>
    </message>
    <message>
        <source>Find &amp;Next</source>
        <translation>Wei&amp;tersuchen</translation>
    </message>
    <message>
        <source>Find Pre&amp;vious</source>
        <translation>&amp;Vorheriges suchen</translation>
    </message>
    <message>
        <source>R&amp;eplace…</source>
        <translation>Erset&amp;zen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Go to Line…</source>
        <translation>&amp;Gehe zu Zeile&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>E&amp;instellungen&#xa0;…</translation>
    </message>
    <message>
        <source>Go to Line</source>
        <translation>Gehe zu Zeile</translation>
    </message>
    <message>
        <source>Line (1 to {last:,}):</source>
        <translation>Zeile (1 bis {last:,}):</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Something went wrong.</source>
        <translation>Etwas ist schiefgegangen.</translation>
    </message>
    <message>
        <source>{summary}

Your text is still here, and a copy of it is kept. Save it, then start Foretype again. The log is in {log_path}.</source>
        <translation>{summary}

Dein Text ist noch da, und eine Kopie davon ist gesichert. Speichere ihn und starte Foretype neu. Das Protokoll steht in {log_path}.</translation>
    </message>
    <message>
        <source>Export as {kind}</source>
        <translation>Als {kind} exportieren</translation>
    </message>
    <message>
        <source>Could not write {path}: {reason}. Try another place.</source>
        <translation>{path} konnte nicht geschrieben werden: {reason}. Versuche es an einem anderen Ort.</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>Geschrieben: {path}</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen&#xa0;…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt verwendet</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>Speichern &amp;unter&#xa0;…</translation>
    </message>
    <message>
        <source>Save A&amp;ll</source>
        <translation>A&amp;lle speichern</translation>
    </message>
    <message>
        <source>Export as &amp;PDF…</source>
        <translation>Als &amp;PDF exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Export as &amp;HTML…</source>
        <translation>Als &amp;HTML exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Export &amp;Figures…</source>
        <translation>&amp;Kennzahlen exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Print Previe&amp;w…</source>
        <translation>Druck&amp;vorschau&#xa0;…</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>&amp;Drucken&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>Keine zuletzt verwendeten Dateien</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.markdown *.text);;All files (*)</source>
        <translation>Text (*.txt *.md *.markdown *.text);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>{name} is new. It will be made when you save.</source>
        <translation>{name} ist neu. Speichern legt die Datei an.</translation>
    </message>
    <message>
        <source>{name} was changed by another program.</source>
        <translation>Ein anderes Programm hat {name} geändert.</translation>
    </message>
    <message>
        <source>Saving replaces what that program wrote.</source>
        <translation>Speichern ersetzt, was jenes Programm geschrieben hat.</translation>
    </message>
    <message>
        <source>Save Anyway</source>
        <translation>Trotzdem speichern</translation>
    </message>
    <message>
        <source>Save As</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Save the changes to {name}?</source>
        <translation>Änderungen an {name} speichern?</translation>
    </message>
    <message>
        <source>Save the changes to {count} texts?</source>
        <translation>Änderungen an {count} Texten speichern?</translation>
    </message>
    <message>
        <source>Without saving it is lost.</source>
        <translation>Ohne Speichern gehen sie verloren.</translation>
    </message>
    <message>
        <source>Save as UTF-8</source>
        <translation>Als UTF-8 speichern</translation>
    </message>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>Match capitals</source>
        <translation>Groß- und Kleinschreibung beachten</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Wort</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>Nur ganze Wörter</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>Suchen und ersetzen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>Ersetzen durch</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Vorheriges</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächstes</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace All</source>
        <translation>Alle ersetzen</translation>
    </message>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n Stelle</numerusform>
            <numerusform>%n Stellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Replaced {places}</source>
        <translation>{places} ersetzt</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Takes too long</source>
        <translation>Dauert zu lange</translation>
    </message>
    <message>
        <source>{place:,} of {count:,}{more}</source>
        <translation>{place:,} von {count:,}{more}</translation>
    </message>
    <message>
        <source>{count:,}{more} found</source>
        <translation>{count:,}{more} gefunden</translation>
    </message>
    <message>
        <source>Check the network and try again, or install from a file (Model menu). </source>
        <translation>Prüfe die Netzwerkverbindung und versuche es noch einmal, oder installiere aus einer Datei (Menü „Modell“). </translation>
    </message>
    <message>
        <source>You can go on writing without it.</source>
        <translation>Ohne Modell kannst du weiterschreiben.</translation>
    </message>
    <message>
        <source>Installation progress</source>
        <translation>Fortschritt der Installation</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{size:.0f} MB, once. </source>
        <translation>{size:.0f} MB, einmalig. </translation>
    </message>
    <message>
        <source>Getting the language model {name}</source>
        <translation>Das Sprachmodell {name} wird geholt</translation>
    </message>
    <message>
        <source>{size}It runs on this computer; nothing you write leaves it.</source>
        <translation>{size}Es läuft auf diesem Rechner; nichts, was du schreibst, verlässt ihn.</translation>
    </message>
    <message>
        <source> · {done:.0f} of {total:.0f} MB</source>
        <translation> · {done:.0f} von {total:.0f} MB</translation>
    </message>
    <message>
        <source>{title}{amount}. Keep writing; words appear here when it is done.</source>
        <translation>{title}{amount}. Schreibe weiter; wenn es so weit ist, erscheinen hier Wörter.</translation>
    </message>
    <message>
        <source>the installation ended too early</source>
        <translation>die Installation endete zu früh</translation>
    </message>
    <message>
        <source>The language model could not be installed</source>
        <translation>Das Sprachmodell konnte nicht installiert werden</translation>
    </message>
    <message>
        <source>Tab takes it, Ctrl+Right one word</source>
        <translation>Tab übernimmt, Strg+Rechts ein Wort</translation>
    </message>
    <message>
        <source>Ctrl+Right takes a word</source>
        <translation>Strg+Rechts übernimmt ein Wort</translation>
    </message>
    <message>
        <source>Suggested: {text}. {keys}.</source>
        <translation>Vorgeschlagen: {text}. {keys}.</translation>
    </message>
    <message>
        <source>Surprisal</source>
        <translation>Überraschung</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bit</translation>
    </message>
    <message>
        <source>How surprising each word was to the model. The steps begin at {steps} bits; words below the first are not marked.</source>
        <translation>Wie überraschend jedes Wort für das Modell war. Die Stufen beginnen bei {steps} Bit; Wörter unter der ersten sind nicht markiert.</translation>
    </message>
    <message>
        <source>Heat map legend</source>
        <translation>Legende der Heatmap</translation>
    </message>
    <message>
        <source>A writing app that shows what a real GPT, running on this computer, expects next.

Nothing you write leaves this computer.

Foretype is free software under the Apache Licence 2.0. The writing face is Source Serif Pro by Frank Grießhammer, © Adobe, SIL Open Font Licence 1.1.</source>
        <translation>Ein Schreibprogramm, das zeigt, was ein echtes GPT auf diesem Rechner als Nächstes erwartet.

Nichts, was du schreibst, verlässt diesen Rechner.

Foretype ist freie Software unter der Apache-Lizenz 2.0. Die Schreibschrift ist Source Serif Pro von Frank Grießhammer, © Adobe, SIL Open Font License 1.1.</translation>
    </message>
    <message>
        <source>About Foretype</source>
        <translation>Über Foretype</translation>
    </message>
    <message>
        <source>&amp;How Prediction Works</source>
        <translation>&amp;Wie Vorhersagen entstehen</translation>
    </message>
    <message>
        <source>&amp;What the Figures Mean</source>
        <translation>Was die &amp;Zahlen bedeuten</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Foretype</source>
        <translation>Ü&amp;ber Foretype</translation>
    </message>
    <message>
        <source>How prediction works</source>
        <translation>Wie Vorhersagen entstehen</translation>
    </message>
    <message>
        <source>The tokens of the sentence</source>
        <translation>Die Tokens des Satzes</translation>
    </message>
    <message>
        <source>Every token with its probability</source>
        <translation>Jedes Token mit seiner Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Show It Step by Step</source>
        <translation>Schritt für Schritt zeigen</translation>
    </message>
    <message>
        <source>Look Inside</source>
        <translation>Hineinsehen</translation>
    </message>
    <message>
        <source>As a matrix</source>
        <translation>Als Matrix</translation>
    </message>
    <message>
        <source>Your sentence; Enter reads it</source>
        <translation>Dein Satz; Enter liest ihn</translation>
    </message>
    <message>
        <source>1  Text becomes tokens</source>
        <translation>1  Aus Text werden Tokens</translation>
    </message>
    <message>
        <source>2  Every token gets a probability</source>
        <translation>2  Jedes Token bekommt eine Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>3  A text is a product</source>
        <translation>3  Ein Text ist ein Produkt</translation>
    </message>
    <message>
        <source>4  One token, then again</source>
        <translation>4  Ein Token, dann von vorn</translation>
    </message>
    <message>
        <source>5  What a token looks at</source>
        <translation>5  Worauf ein Token achtet</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>the reference model gave no answer: {last}</source>
        <translation>das Referenzmodell hat nicht geantwortet: {last}</translation>
    </message>
    <message>
        <source>Python could not be started: {reason}</source>
        <translation>Python konnte nicht gestartet werden: {reason}</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>probabilities</source>
        <translation>Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>one token</source>
        <translation>ein Token</translation>
    </message>
    <message>
        <source>Likeliest next tokens</source>
        <translation>Wahrscheinlichste nächste Tokens</translation>
    </message>
    <message>
        <source>The loop</source>
        <translation>Die Schleife</translation>
    </message>
    <message>
        <source> → back to the text</source>
        <translation> → zurück zum Text</translation>
    </message>
    <message>
        <source>the token is added to the text, and the model reads on</source>
        <translation>das Token kommt zum Text, und das Modell liest weiter</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>{share:.0%} from {token}</source>
        <translation>{share:.0%} von {token}</translation>
    </message>
    <message>
        <source>{token} takes {parts}</source>
        <translation>{token} nimmt {parts}</translation>
    </message>
    <message>
        <source>A language model does one thing: it reads a text and says, for every piece of text it knows, how likely that piece comes next. Everything else is repetition. Here is how it happens, with a sentence of yours.</source>
        <translation>Ein Sprachmodell tut nur eines: Es liest einen Text und sagt zu jedem Textstück, das es kennt, wie wahrscheinlich dieses als Nächstes kommt. Alles andere ist Wiederholung. So geht das vor sich, an einem Satz von dir.</translation>
    </message>
    <message>
        <source>Change the sentence and press Enter.</source>
        <translation>Ändere den Satz und drücke Enter.</translation>
    </message>
    <message>
        <source>The model sees neither letters nor words but tokens: pieces that were frequent in the texts it learnt from. Common words are one token, rare ones are several. The dot stands for the space before a word.</source>
        <translation>Das Modell sieht weder Buchstaben noch Wörter, sondern Tokens: Stücke, die in seinen Lerntexten häufig waren. Häufige Wörter sind ein Token, seltene sind mehrere. Der Punkt steht für das Leerzeichen vor einem Wort.</translation>
    </message>
    <message>
        <source>From the tokens so far, the network works out one figure for every token there is. Turned into shares of 100 %, these are the probabilities of what comes next. After your sentence:</source>
        <translation>Aus den bisherigen Tokens errechnet das Netz eine Zahl für jedes Token, das es gibt. In Anteile von 100&#x202f;% umgerechnet sind das die Wahrscheinlichkeiten dessen, was folgt. Nach deinem Satz:</translation>
    </message>
    <message>
        <source>While it read, the model gave every token of your sentence a probability, too: given all the tokens before it. Multiplied, they are the probability of the whole sentence. This is the chain rule. Point at a token to see what the model expected in its place.</source>
        <translation>Beim Lesen hat das Modell auch jedem Token deines Satzes eine Wahrscheinlichkeit gegeben: gegeben alle Tokens davor. Miteinander multipliziert sind sie die Wahrscheinlichkeit des ganzen Satzes. Das ist die Kettenregel. Zeige auf ein Token, um zu sehen, was das Modell an seiner Stelle erwartete.</translation>
    </message>
    <message>
        <source>To write, the model draws one token by these probabilities, as with loaded dice. The token is added to the text, and everything begins again. No plan, no second look: a whole page comes about like this, a token at a time.</source>
        <translation>Zum Schreiben zieht das Modell ein Token nach diesen Wahrscheinlichkeiten, wie mit gezinkten Würfeln. Das Token kommt zum Text, und alles beginnt von vorn. Kein Plan, kein zweiter Blick: So entsteht eine ganze Seite, Token für Token.</translation>
    </message>
    <message>
        <source>Inside the network, every token gathers information from the tokens before it. How much from each is called attention. The network has many layers, and in each several heads, which look at different things: at the token before, at an earlier mention of the same name, at the beginning of the sentence.</source>
        <translation>Im Netz sammelt jedes Token Auskünfte von den Tokens davor. Wie viel von welchem, heißt Attention (Aufmerksamkeit). Das Netz hat viele Schichten und in jeder mehrere Köpfe, die auf Verschiedenes achten: auf das Token davor, auf eine frühere Nennung desselben Namens, auf den Satzanfang.</translation>
    </message>
    <message>
        <source>Attention shows where information flows, not why the model decides as it does. Where a head has nothing to gather, it rests on the start of the text: hence the thick lines there.</source>
        <translation>Attention zeigt, wohin Auskünfte fließen, nicht, warum das Modell sich so entscheidet. Wo ein Kopf nichts zu sammeln hat, ruht er auf dem Textanfang: daher die dicken Linien dort.</translation>
    </message>
    <message>
        <source>The reference model works it out. This takes some seconds.</source>
        <translation>Das Referenzmodell rechnet. Das dauert einige Sekunden.</translation>
    </message>
    <message>
        <source>To see it, the reference model has to run, and that needs PyTorch, which is not installed (1 to 3 GB). Install it with: {command}</source>
        <translation>Dafür muss das Referenzmodell laufen, und das braucht PyTorch, das nicht installiert ist (1 bis 3 GB). Installieren mit: {command}</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>{tokens} of the {vocabulary:,} that this model knows.</source>
        <translation>{tokens} von den {vocabulary:,}, die dieses Modell kennt.</translation>
    </message>
    <message>
        <source>Given “{sentence}”</source>
        <translation>Nach „{sentence}“</translation>
    </message>
    <message>
        <source>With nothing before it</source>
        <translation>Ohne etwas davor</translation>
    </message>
    <message>
        <source>{given}, “{piece}” was what it expected most: {chance}.</source>
        <translation>{given} erwartete es „{piece}“ am meisten: {chance}.</translation>
    </message>
    <message>
        <source>{given}, “{piece}” was number {rank:,} on its list: {chance}. It expected “{expected}”: {expected_probability:.4f}.</source>
        <translation>{given} stand „{piece}“ auf Platz {rank:,} seiner Liste: {chance}. Erwartet hatte es „{expected}“: {expected_probability:.4f}.</translation>
    </message>
    <message>
        <source>P = {shown}{dots} = {log_probability}. Long texts are always improbable, so one looks at the mean of a token. The perplexity is {perplexity:,.1f}: the model was as undecided as if it had to choose among {perplexity:,.0f} equally likely tokens every time.</source>
        <translation>P = {shown}{dots} = {log_probability}. Lange Texte sind immer unwahrscheinlich, darum betrachtet man das Mittel je Token. Die Perplexität ist {perplexity:,.1f}: Das Modell war so unschlüssig, als hätte es jedes Mal unter {perplexity:,.0f} gleich wahrscheinlichen Tokens wählen müssen.</translation>
    </message>
    <message>
        <source>The sentence could not be read: {err}</source>
        <translation>Der Satz konnte nicht gelesen werden: {err}</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>&amp;Wörter</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>A known name (smollm2-135m, gpt2), a model of the Hugging Face Hub as owner/name,
or the path of a folder or .gguf file on this computer:</source>
        <translation>Ein bekannter Name (smollm2-135m, gpt2), ein Modell des Hugging Face Hub als owner/name
oder der Pfad eines Ordners oder einer .gguf-Datei auf diesem Rechner:</translation>
    </message>
    <message>
        <source>Personal</source>
        <translation>Persönlich</translation>
    </message>
    <message>
        <source>The model could not be loaded: {err}</source>
        <translation>Das Modell konnte nicht geladen werden: {err}</translation>
    </message>
    <message>
        <source>{reference} cannot be used: {err}</source>
        <translation>{reference} kann nicht verwendet werden: {err}</translation>
    </message>
    <message>
        <source>{title} stays: {err}</source>
        <translation>{title} bleibt: {err}</translation>
    </message>
    <message>
        <source>Install a Model</source>
        <translation>Modell installieren</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>No model is loaded yet.</source>
        <translation>Noch ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>{layers} layers of width {width}, a vocabulary of {vocab_size:,} tokens, a context of up to {context_tokens:,}.

Licence: {licence}
Weights: {precision}, {size_mb:.0f} MB
Folder: {folder}</source>
        <translation>{layers} Schichten der Breite {width}, ein Vokabular von {vocab_size:,} Tokens, ein Kontext von bis zu {context_tokens:,}.

Lizenz: {licence}
Gewichte: {precision}, {size_mb:.0f} MB
Ordner: {folder}</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Loading {name} …</source>
        <translation>{name} wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>No model at work</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>No model · install one from the Model menu</source>
        <translation>Kein Modell · im Menü „Modell“ eines installieren</translation>
    </message>
    <message>
        <source>No model installed</source>
        <translation>Kein Modell installiert</translation>
    </message>
    <message>
        <source>&amp;Install a Model…</source>
        <translation>Modell &amp;installieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;About This Model</source>
        <translation>Über &amp;dieses Modell</translation>
    </message>
    <message>
        <source>&amp;Go Back to the Earlier Model</source>
        <translation>&amp;Zurück zum früheren Modell</translation>
    </message>
    <message>
        <source>&amp;Go Back to {model}</source>
        <translation>&amp;Zurück zu {model}</translation>
    </message>
    <message>
        <source>&amp;Personalise…</source>
        <translation>&amp;Personalisieren&#xa0;…</translation>
    </message>
    <message>
        <source>Use the model of before again; the one at work stays on the disk</source>
        <translation>Wieder das Modell von vorher verwenden; das jetzige bleibt auf dem Datenträger</translation>
    </message>
    <message>
        <source>&amp;Versions of {name}</source>
        <translation>&amp;Versionen von {name}</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <translation>d. MMM yyyy, HH:mm</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>The likeliest next tokens, of all that the model knows</source>
        <translation>Die wahrscheinlichsten nächsten Tokens von allen, die das Modell kennt</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>The words that are suggested, each with its probability as a whole</source>
        <translation>Die vorgeschlagenen Wörter, jedes mit seiner Wahrscheinlichkeit als Ganzes</translation>
    </message>
    <message>
        <source>How undecided the model is about the next token: the mean of −log₂ p over its whole distribution. 0 bits: it is certain; 1 bit: a coin toss.</source>
        <translation>Wie unschlüssig das Modell über das nächste Token ist: das Mittel von −log₂ p über seine ganze Verteilung. 0 Bit: Es ist sicher; 1 Bit: ein Münzwurf.</translation>
    </message>
    <message>
        <source>What comes next as</source>
        <translation>Was folgt, als</translation>
    </message>
    <message>
        <source>Likeliest next</source>
        <translation>Am wahrscheinlichsten</translation>
    </message>
    <message>
        <source>Entropy of the next token</source>
        <translation>Entropie des nächsten Tokens</translation>
    </message>
    <message>
        <source>{entropy_bits:.2f} bits</source>
        <translation>{entropy_bits:.2f} Bit</translation>
    </message>
    <message>
        <source>What the figures mean</source>
        <translation>Was die Zahlen bedeuten</translation>
    </message>
    <message>
        <source>
&lt;h2&gt;Token&lt;/h2&gt;
&lt;p&gt;The model reads and writes tokens: common words with the space before them, and pieces of rarer
words. “·the” is one token; “unbelievable” may be three. A sign such as an emoji may take several;
then they share its place in the text. Here &lt;b&gt;·&lt;/b&gt; is a space and &lt;b&gt;↵&lt;/b&gt; a line end.&lt;/p&gt;

&lt;h2&gt;Probability&lt;/h2&gt;
&lt;p&gt;After any text the model gives every token of its vocabulary a probability; they add up to 1.
The figure of a written token is the probability it had after the text before it. The figure of a
word is the product over its tokens. No temperature or other setting is applied.&lt;/p&gt;

&lt;h2&gt;Context, first token and window&lt;/h2&gt;
&lt;p&gt;The first token of a text is expected after the sign “end of text”, as if the text opened a new
document. Every other token is expected after all those before it, as far as they fit into the
model’s window of {window:,} tokens. A longer text is read in passages of that length: each begins
at the last line start a quarter to half a window after the one before, or else after half a window,
so that every token has seen at least half a window of text where there is so much. The figures
depend on the text alone, not on how it was written.&lt;/p&gt;

&lt;h2&gt;Surprisal&lt;/h2&gt;
&lt;p&gt;−log₂ of the probability, in bits: 1 bit is as likely as one coin toss, 10 bits as ten tosses
that all come up heads (1 in 1,024). The surprisal of a word is the sum over its tokens.&lt;/p&gt;

&lt;h2&gt;Rank&lt;/h2&gt;
&lt;p&gt;The place of a token when all tokens are sorted by probability; 1 is the one the model expected
most. A word of several tokens has several ranks.&lt;/p&gt;

&lt;h2&gt;Entropy&lt;/h2&gt;
&lt;p&gt;The surprisal that the model expects on average of the next token: 0 bits if it is certain.&lt;/p&gt;

&lt;h2&gt;Perplexity&lt;/h2&gt;
&lt;p&gt;The exponential of the mean surprisal (in nats) over the tokens of a page, paragraph or
selection: as if each token had been chosen among so many equally likely ones. A token belongs to
a paragraph or selection if its last character does. A text of more than {characters:,}
characters is read around what is on screen, until you ask for all of it; until then the figure of
the page is that of the part which is read. Perplexities of models with other tokens cannot be
compared.&lt;/p&gt;

&lt;h2&gt;Expected instead&lt;/h2&gt;
&lt;p&gt;“Words” are the five whole words that would be suggested in the word’s place, after the text
before it. Clicking one puts it there instead; one step of undo takes it back. “Tokens” are the five
likeliest tokens in place of the word’s first, with the exact figures defined above; a token may be
only the beginning of a word, so those with letters are there to be read.&lt;/p&gt;

&lt;h2&gt;Tokens and words&lt;/h2&gt;
&lt;p&gt;“Tokens” are the next tokens by the definitions above; after a space, those that begin with one.
“Words” are those of the suggestions. For these the model reads, before your text, a few lines of
everyday writing that are never shown, and it mixes in words that it has learnt from you; so they
may differ a little from what the tokens say.&lt;/p&gt;

&lt;h2&gt;Heat map&lt;/h2&gt;
&lt;p&gt;A word is marked by its surprisal, in steps that begin at {steps} bits: the ground gets darker
or lighter, and the line below it grows from dots to a thick rule. In ordinary prose half of all
words stay unmarked.&lt;/p&gt;
</source>
        <translation>
&lt;h2&gt;Token&lt;/h2&gt;
&lt;p&gt;Das Modell liest und schreibt Tokens: häufige Wörter mit dem Leerzeichen davor und Stücke
seltenerer Wörter. „·the“ ist ein Token; „unbelievable“ können drei sein. Ein Zeichen wie ein Emoji
kann mehrere brauchen; dann teilen sie sich seinen Platz im Text. Hier ist &lt;b&gt;·&lt;/b&gt; ein Leerzeichen
und &lt;b&gt;↵&lt;/b&gt; ein Zeilenende.&lt;/p&gt;

&lt;h2&gt;Wahrscheinlichkeit&lt;/h2&gt;
&lt;p&gt;Nach jedem Text gibt das Modell jedem Token seines Vokabulars eine Wahrscheinlichkeit; zusammen
ergeben sie 1. Die Zahl eines geschriebenen Tokens ist die Wahrscheinlichkeit, die es nach dem Text
davor hatte. Die Zahl eines Wortes ist das Produkt über seine Tokens. Weder Temperatur noch andere
Einstellungen wirken mit.&lt;/p&gt;

&lt;h2&gt;Kontext, erstes Token und Fenster&lt;/h2&gt;
&lt;p&gt;Das erste Token eines Textes wird nach dem Zeichen „Textende“ erwartet, als begänne mit dem Text
ein neues Dokument. Jedes andere Token wird nach allen davor erwartet, soweit sie in das Fenster des
Modells von {window:,} Tokens passen. Ein längerer Text wird in Abschnitten dieser Länge gelesen:
Jeder beginnt am letzten Zeilenanfang ein viertel bis ein halbes Fenster nach dem vorigen, sonst ein
halbes Fenster danach, so dass jedes Token mindestens ein halbes Fenster Text gesehen hat, wo es so
viel gibt. Die Zahlen hängen allein vom Text ab, nicht davon, wie er geschrieben wurde.&lt;/p&gt;

&lt;h2&gt;Überraschung&lt;/h2&gt;
&lt;p&gt;−log₂ der Wahrscheinlichkeit, in Bit: 1 Bit ist so wahrscheinlich wie ein Münzwurf, 10 Bit wie
zehn Würfe, die alle Kopf zeigen (1 von 1.024). Die Überraschung eines Wortes ist die Summe über
seine Tokens.&lt;/p&gt;

&lt;h2&gt;Rang&lt;/h2&gt;
&lt;p&gt;Der Platz eines Tokens, wenn alle Tokens nach Wahrscheinlichkeit geordnet sind; 1 ist das am
meisten erwartete. Ein Wort aus mehreren Tokens hat mehrere Ränge.&lt;/p&gt;

&lt;h2&gt;Entropie&lt;/h2&gt;
&lt;p&gt;Die Überraschung, die das Modell im Mittel vom nächsten Token erwartet: 0 Bit, wenn es sicher
ist.&lt;/p&gt;

&lt;h2&gt;Perplexität&lt;/h2&gt;
&lt;p&gt;Die Exponentialfunktion der mittleren Überraschung (in nats) über die Tokens einer Seite, eines
Absatzes oder einer Auswahl: als wäre jedes Token unter so vielen gleich wahrscheinlichen gewählt
worden. Ein Token gehört zu einem Absatz oder einer Auswahl, wenn sein letztes Zeichen dazugehört.
Ein Text von mehr als {characters:,} Zeichen wird rund um das gelesen, was auf dem Bildschirm ist,
bis du den ganzen verlangst; bis dahin gilt die Zahl der Seite für den gelesenen Teil. Perplexitäten
von Modellen mit anderen Tokens lassen sich nicht vergleichen.&lt;/p&gt;

&lt;h2&gt;Stattdessen erwartet&lt;/h2&gt;
&lt;p&gt;„Wörter“ sind die fünf ganzen Wörter, die an der Stelle des Wortes nach dem Text davor
vorgeschlagen würden. Ein Klick setzt eines dorthin; ein Schritt „Rückgängig“ nimmt es zurück.
„Tokens“ sind die fünf wahrscheinlichsten Tokens an der Stelle des ersten des Wortes, mit den oben
definierten genauen Zahlen; ein Token kann nur ein Wortanfang sein, darum sind solche mit Buchstaben
nur zum Lesen da.&lt;/p&gt;

&lt;h2&gt;Tokens und Wörter&lt;/h2&gt;
&lt;p&gt;„Tokens“ sind die nächsten Tokens nach den obigen Definitionen; nach einem Leerzeichen die, die mit
einem beginnen. „Wörter“ sind die der Vorschläge. Für diese liest das Modell vor deinem Text einige
Zeilen Alltagssprache, die nie gezeigt werden, und mischt Wörter bei, die es von dir gelernt hat; sie
können darum etwas von dem abweichen, was die Tokens sagen.&lt;/p&gt;

&lt;h2&gt;Heatmap&lt;/h2&gt;
&lt;p&gt;Ein Wort wird nach seiner Überraschung markiert, in Stufen, die bei {steps} Bit beginnen: Der Grund
wird dunkler oder heller, und die Linie darunter wächst von Punkten zu einem dicken Strich. In
gewöhnlicher Prosa bleibt die Hälfte aller Wörter unmarkiert.&lt;/p&gt;
</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Write the figures of every token to a file</source>
        <translation>Die Zahlen aller Tokens in eine Datei schreiben</translation>
    </message>
    <message>
        <source>What these mean</source>
        <translation>Was sie bedeuten</translation>
    </message>
    <message>
        <source>How the figures are defined</source>
        <translation>Wie die Zahlen definiert sind</translation>
    </message>
    <message>
        <source>Surprisal along the text</source>
        <translation>Überraschung entlang des Textes</translation>
    </message>
    <message>
        <source>{count:,} tokens, {mean:.1f} bits in the mean. Left and right move the caret.</source>
        <translation>{count:,} Tokens, im Mittel {mean:.1f} Bit. Links und Rechts bewegen die Schreibmarke.</translation>
    </message>
    <message>
        <source>The text is not read yet; export it in a moment.</source>
        <translation>Der Text ist noch nicht gelesen; versuche es gleich noch einmal.</translation>
    </message>
    <message>
        <source>{name} figures.csv</source>
        <translation>{name} Kennzahlen.csv</translation>
    </message>
    <message>
        <source>Export Figures</source>
        <translation>Kennzahlen exportieren</translation>
    </message>
    <message>
        <source>{path} was not written ({reason}); choose another folder.</source>
        <translation>{path} wurde nicht geschrieben ({reason}); wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Figures of {known:,} tokens are in {name}.</source>
        <translation>Die Kennzahlen von {known:,} Tokens stehen in {name}.</translation>
    </message>
    <message>
        <source>How surprising the text was: the exponential of the mean surprisal of its tokens, each given those before it. 1: every token was certain; 20: like choosing among 20 equally likely ones.</source>
        <translation>Wie überraschend der Text war: die Exponentialfunktion der mittleren Überraschung seiner Tokens, jedes gegeben die davor. 1: Jedes Token war sicher; 20: wie eine Wahl unter 20 gleich wahrscheinlichen.</translation>
    </message>
    <message>
        <source>page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>paragraph</source>
        <translation>Absatz</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Read all</source>
        <translation>Alles lesen</translation>
    </message>
    <message>
        <source>Read the whole text, which takes a while</source>
        <translation>Den ganzen Text lesen, was eine Weile dauert</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Surprisal along the text, in bits a token</source>
        <translation>Überraschung entlang des Textes, in Bit je Token</translation>
    </message>
    <message>
        <source>{read:,} of {tokens:,} tokens read</source>
        <translation>{read:,} von {tokens:,} Tokens gelesen</translation>
    </message>
    <message>
        <source>The probability of the word after the text before it: the product over its tokens.</source>
        <translation>Die Wahrscheinlichkeit des Wortes nach dem Text davor: das Produkt über seine Tokens.</translation>
    </message>
    <message>
        <source>The place of each of its tokens among all tokens; 1 is the one the model expected most.</source>
        <translation>Der Platz jedes seiner Tokens unter allen Tokens; 1 ist das am meisten erwartete.</translation>
    </message>
    <message>
        <source>−log₂ of the probability: how many coin tosses in a row are as unlikely.</source>
        <translation>−log₂ der Wahrscheinlichkeit: wie viele Münzwürfe hintereinander so unwahrscheinlich sind.</translation>
    </message>
    <message>
        <source>Put the caret into a word</source>
        <translation>Setze die Schreibmarke in ein Wort</translation>
    </message>
    <message>
        <source>Put it there instead</source>
        <translation>Stattdessen einsetzen</translation>
    </message>
    <message>
        <source>The likeliest tokens in place of the word&apos;s first, with their exact figures</source>
        <translation>Die wahrscheinlichsten Tokens anstelle des ersten des Wortes, mit genauen Zahlen</translation>
    </message>
    <message>
        <source>Whole words that might stand there; click one to put it there</source>
        <translation>Ganze Wörter, die hier stehen könnten; ein Klick setzt das Wort ein</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>Wahrscheinl.</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>surprisal</source>
        <translation>Überraschung</translation>
    </message>
    <message>
        <source>What was expected as</source>
        <translation>Was erwartet wurde, als</translation>
    </message>
    <message>
        <source>Expected instead</source>
        <translation>Stattdessen erwartet</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Written word: {text}</source>
        <translation>Geschriebenes Wort: {text}</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>{bits:.2f} bits</source>
        <translation>{bits:.2f} Bit</translation>
    </message>
    <message>
        <source>   and {count} more</source>
        <translation>   und {count} weitere</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens:  {named}{rest}</source>
        <translation>
            <numerusform>%n Token:  {named}{rest}</numerusform>
            <numerusform>%n Tokens:  {named}{rest}</numerusform>
        </translation>
    </message>
    <message>
        <source>Not a regular expression: {err}</source>
        <translation>Kein regulärer Ausdruck: {err}</translation>
    </message>
    <message>
        <source>This takes too long. Nothing was replaced.</source>
        <translation>Das dauert zu lange. Nichts wurde ersetzt.</translation>
    </message>
    <message>
        <source>The replacement does not fit: {err}</source>
        <translation>Die Ersetzung passt nicht: {err}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Show suggestions under the text</source>
        <translation>Vorschläge unter dem Text zeigen</translation>
    </message>
    <message>
        <source>Show ghost text after the caret</source>
        <translation>Geistertext nach der Schreibmarke zeigen</translation>
    </message>
    <message>
        <source>Tab takes the ghost text or the first suggestion</source>
        <translation>Tab übernimmt den Geistertext oder den ersten Vorschlag</translation>
    </message>
    <message>
        <source>Suggest in small letters only</source>
        <translation>Nur in Kleinbuchstaben vorschlagen</translation>
    </message>
    <message>
        <source>Learn from my writing</source>
        <translation>Aus meinen Texten lernen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation>Rechtschreibung</translation>
    </message>
    <message>
        <source>Underline what may be misspelt</source>
        <translation>Vermutliche Schreibfehler unterstreichen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>That of the desktop</source>
        <translation>Die des Systems</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts…</source>
        <translation>Tastenkürzel&#xa0;…</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>{face} (comes with Foretype)</source>
        <translation>{face} (mitgeliefert)</translation>
    </message>
    <message>
        <source>Face</source>
        <translation>Schrift</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source> characters</source>
        <translation> Zeichen</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Language of Foretype</source>
        <translation>Sprache von Foretype</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>Ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Show headings, emphasis and code in Markdown files</source>
        <translation>Überschriften, Betonung und Code in Markdown-Dateien zeigen</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>{keys} is no key.</source>
        <translation>{keys} ist keine Taste.</translation>
    </message>
    <message>
        <source>{shown} opens a menu.</source>
        <translation>{shown} öffnet ein Menü.</translation>
    </message>
    <message>
        <source>{shown} is needed for writing. Hold Ctrl or Alt with it, or take another.</source>
        <translation>{shown} wird zum Schreiben gebraucht. Halte Strg oder Alt dazu oder nimm eine andere.</translation>
    </message>
    <message>
        <source>{shown} is taken by “{action}”.</source>
        <translation>{shown} ist schon mit „{action}“ belegt.</translation>
    </message>
    <message>
        <source>Take the ghost text, or else the first suggestion</source>
        <translation>Den Geistertext übernehmen, sonst den ersten Vorschlag</translation>
    </message>
    <message>
        <source>Take one word of the ghost text</source>
        <translation>Ein Wort des Geistertextes übernehmen</translation>
    </message>
    <message>
        <source>Hide suggestions until the next character</source>
        <translation>Vorschläge bis zum nächsten Zeichen ausblenden</translation>
    </message>
    <message>
        <source>Indent the selected lines, or less</source>
        <translation>Die gewählten Zeilen einrücken, oder weniger</translation>
    </message>
    <message>
        <source>Draw the next token, then add it</source>
        <translation>Das nächste Token ziehen, dann anfügen</translation>
    </message>
    <message>
        <source>Take the last token back</source>
        <translation>Das letzte Token zurücknehmen</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Go to a token and choose it by hand</source>
        <translation>Zu einem Token gehen und es von Hand wählen</translation>
    </message>
    <message>
        <source>Show the likeliest tokens beside it</source>
        <translation>Die wahrscheinlichsten Tokens daneben zeigen</translation>
    </message>
    <message>
        <source>Take another seed</source>
        <translation>Einen anderen Startwert nehmen</translation>
    </message>
    <message>
        <source>Put what was generated into the text</source>
        <translation>Das Erzeugte in den Text übernehmen</translation>
    </message>
    <message>
        <source>Explain how prediction works</source>
        <translation>Erklären, wie Vorhersagen entstehen</translation>
    </message>
    <message>
        <source>Leave the demonstration</source>
        <translation>Die Demonstration verlassen</translation>
    </message>
    <message>
        <source>In the text</source>
        <translation>Im Text</translation>
    </message>
    <message>
        <source>In the demonstration</source>
        <translation>In der Demonstration</translation>
    </message>
    <message>
        <source>Choose a line, then press the new keys in the field.</source>
        <translation>Wähle eine Zeile und drücke dann im Feld die neuen Tasten.</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search by name or key</source>
        <translation>Nach Name oder Taste suchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Neue Tasten</translation>
    </message>
    <message>
        <source>No Keys</source>
        <translation>Keine Tasten</translation>
    </message>
    <message>
        <source>Usual Keys</source>
        <translation>Übliche Tasten</translation>
    </message>
    <message>
        <source>All Usual Keys</source>
        <translation>Überall übliche Tasten</translation>
    </message>
    <message>
        <source>“{word}” is not added: {err}</source>
        <translation>„{word}“ wurde nicht hinzugefügt: {err}</translation>
    </message>
    <message>
        <source>No suggestions</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>Add “{word}” to the Dictionary</source>
        <translation>„{word}“ ins Wörterbuch aufnehmen</translation>
    </message>
    <message>
        <source>Characters that suggestions wrote for you, less one key for each that you took.</source>
        <translation>Zeichen, die Vorschläge für dich geschrieben haben, weniger eine Taste für jeden übernommenen.</translation>
    </message>
    <message>
        <source>Of all the keys the same text would have taken.</source>
        <translation>Von allen Tasten, die derselbe Text gebraucht hätte.</translation>
    </message>
    <message>
        <source>Of the words you wrote while suggestions were on the screen, those that you took.</source>
        <translation>Von den Wörtern, die du bei sichtbaren Vorschlägen geschrieben hast, die übernommenen.</translation>
    </message>
    <message>
        <source>Only numbers are kept, on this computer, and never a word of what you write. In private mode nothing is counted.</source>
        <translation>Nur Zahlen werden behalten, auf diesem Rechner, und nie ein Wort von dem, was du schreibst. Im privaten Modus wird nichts gezählt.</translation>
    </message>
    <message>
        <source>From the key to the words on the screen</source>
        <translation>Von der Taste bis zu den Wörtern auf dem Bildschirm</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Clear Statistics…</source>
        <translation>Statistik löschen&#xa0;…</translation>
    </message>
    <message>
        <source>Keystrokes saved</source>
        <translation>Gesparte Tastendrücke</translation>
    </message>
    <message>
        <source>Share of all keys</source>
        <translation>Anteil an allen Tasten</translation>
    </message>
    <message>
        <source>Words taken when offered</source>
        <translation>Übernommen, wenn angeboten</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>in total</source>
        <translation>insgesamt</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>In total</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>milliseconds ({most} and more at the right)</source>
        <translation>Millisekunden (rechts {most} und mehr)</translation>
    </message>
    <message>
        <source>Histogram of latencies</source>
        <translation>Histogramm der Wartezeiten</translation>
    </message>
    <message>
        <source>Clear all statistics?</source>
        <translation>Die ganze Statistik löschen?</translation>
    </message>
    <message>
        <source>They begin again at zero. Nothing else is forgotten.</source>
        <translation>Sie beginnt wieder bei null. Sonst wird nichts vergessen.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>The statistics were {err}.</source>
        <translation>Die Statistik wurde {err}.</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>Noch nichts gemessen.</translation>
    </message>
    <message>
        <source>Half within {half} ms, 95 of 100 within {most} ms</source>
        <translation>Die Hälfte in {half} ms, 95 von 100 in {most} ms</translation>
    </message>
    <message>
        <source>Private mode: nothing is learnt from what you write, no file you open is noted and no unsaved text is kept against a crash. Turn it off in the Words menu.</source>
        <translation>Privater Modus: Aus dem, was du schreibst, wird nichts gelernt, keine geöffnete Datei wird vermerkt und kein nicht gespeicherter Text gegen einen Absturz gesichert. Ausschalten im Menü „Wörter“.</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message numerus="yes">
        <source>%n words</source>
        <translation>
            <numerusform>%n Wort</numerusform>
            <numerusform>%n Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>{count}  ·  {minutes:,} min</source>
        <translation>{count}  ·  {minutes:,} min</translation>
    </message>
    <message>
        <source>Reading time at {words_a_minute} words a minute</source>
        <translation>Lesezeit bei {words_a_minute} Wörtern je Minute</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Next word</source>
        <translation>Nächstes Wort</translation>
    </message>
    <message>
        <source>Suggestion</source>
        <translation>Vorschlag</translation>
    </message>
    <message>
        <source>Tab or {key}</source>
        <translation>Tab oder {key}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Open texts</source>
        <translation>Offene Texte</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Noch nicht gespeichert</translation>
    </message>
    <message>
        <source>Close this text</source>
        <translation>Diesen Text schließen</translation>
    </message>
    <message>
        <source>space </source>
        <translation>Leerzeichen </translation>
    </message>
    <message>
        <source>line end </source>
        <translation>Zeilenende </translation>
    </message>
    <message>
        <source>tab </source>
        <translation>Tabulator </translation>
    </message>
    <message>
        <source>return </source>
        <translation>Wagenrücklauf </translation>
    </message>
    <message>
        <source>end of text</source>
        <translation>Textende</translation>
    </message>
    <message>
        <source>Waiting for another Foretype</source>
        <translation>Warten auf ein anderes Foretype</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Checking the download</source>
        <translation>Download wird geprüft</translation>
    </message>
    <message>
        <source>Reading the weights</source>
        <translation>Gewichte werden gelesen</translation>
    </message>
    <message>
        <source>Reading your texts</source>
        <translation>Deine Texte werden gelesen</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Modell wird geladen</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Memory ran out; going on in smaller portions</source>
        <translation>Der Speicher reichte nicht; weiter in kleineren Portionen</translation>
    </message>
    <message>
        <source>Putting the model together</source>
        <translation>Modell wird zusammengesetzt</translation>
    </message>
    <message>
        <source>Building the model for the editor</source>
        <translation>Modell wird für den Editor gebaut</translation>
    </message>
    <message>
        <source>Checking the model</source>
        <translation>Modell wird geprüft</translation>
    </message>
    <message>
        <source>Comparing it with the old one</source>
        <translation>Vergleich mit dem alten</translation>
    </message>
    <message>
        <source>Putting it in place</source>
        <translation>Wird an seinen Platz gebracht</translation>
    </message>
    <message>
        <source>Installed already</source>
        <translation>Schon installiert</translation>
    </message>
    <message>
        <source>{number}%</source>
        <translation>{number}&#x202f;%</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>&amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Zoom &amp;In</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom &amp;Out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Usual Size</source>
        <translation>&amp;Normale Größe</translation>
    </message>
    <message>
        <source>&amp;Heat Map</source>
        <translation>&amp;Heatmap</translation>
    </message>
    <message>
        <source>&amp;Suggestions</source>
        <translation>&amp;Vorschläge</translation>
    </message>
    <message>
        <source>&amp;Ghost Text</source>
        <translation>Geiste&amp;rtext</translation>
    </message>
    <message>
        <source>Focus Mod&amp;e</source>
        <translation>&amp;Fokusmodus</translation>
    </message>
    <message>
        <source>Pre&amp;vious Text</source>
        <translation>V&amp;orheriger Text</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farb&amp;schema</translation>
    </message>
    <message>
        <source>&amp;Demonstration</source>
        <translation>&amp;Demonstration</translation>
    </message>
    <message>
        <source>&amp;Next Text</source>
        <translation>Nächster &amp;Text</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>Voll&amp;bild</translation>
    </message>
    <message>
        <source>&amp;Probabilities</source>
        <translation>&amp;Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>{title}  ·  {tokens} in context  ·  {elapsed_ms:.0f} ms</source>
        <translation>{title}  ·  {tokens} im Kontext  ·  {elapsed_ms:.0f} ms</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>Restored unsaved changes to {what}: Foretype had ended unexpectedly.</source>
        <translation>Nicht gespeicherte Änderungen an {what} sind wieder da: Foretype war unerwartet beendet worden.</translation>
    </message>
    <message>
        <source>Unsaved text cannot be kept safe: {problem}. Save often.</source>
        <translation>Nicht gespeicherter Text kann nicht gesichert werden: {problem}. Speichere oft.</translation>
    </message>
    <message>
        <source>“{text}”: probability {probability}, rank {ranks}, surprisal {bits:.2f} bits. Expected: {instead}.</source>
        <translation>„{text}“: Wahrscheinlichkeit {probability}, Rang {ranks}, Überraschung {bits:.2f} Bit. Erwartet: {instead}.</translation>
    </message>
    <message>
        <source>The words and phrases remembered from your writing are removed from this computer for good. Your texts and the words never to be suggested stay as they are.</source>
        <translation>Die aus deinen Texten gemerkten Wörter und Wendungen werden endgültig von diesem Rechner entfernt. Deine Texte und die nie vorzuschlagenden Wörter bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>&amp;Take Suggestion</source>
        <translation>&amp;Vorschlag übernehmen</translation>
    </message>
    <message>
        <source>Word &amp;{number}</source>
        <translation>Wort &amp;{number}</translation>
    </message>
    <message>
        <source>Ghost Text, or Else Word 1</source>
        <translation>Geistertext, sonst Wort 1</translation>
    </message>
    <message>
        <source>Check &amp;Spelling</source>
        <translation>&amp;Rechtschreibung prüfen</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Tab Ta&amp;kes Words</source>
        <translation>&amp;Tab übernimmt Wörter</translation>
    </message>
    <message>
        <source>&amp;Learn From My Writing</source>
        <translation>Aus meinen Texten &amp;lernen</translation>
    </message>
    <message>
        <source>&amp;Private Mode</source>
        <translation>&amp;Privater Modus</translation>
    </message>
    <message>
        <source>Word at the &amp;Caret</source>
        <translation>&amp;Wort an der Schreibmarke</translation>
    </message>
    <message>
        <source>&amp;Never Suggested</source>
        <translation>&amp;Nie vorgeschlagen</translation>
    </message>
    <message>
        <source>St&amp;atistics…</source>
        <translation>St&amp;atistik&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Forget Everything Learnt…</source>
        <translation>Alles &amp;Gelernte vergessen&#xa0;…</translation>
    </message>
    <message>
        <source>That of the Desktop</source>
        <translation>Die des Systems</translation>
    </message>
    <message>
        <source>&amp;Forget “{word}”</source>
        <translation>„{word}“ &amp;vergessen</translation>
    </message>
    <message>
        <source>&amp;Never Suggest “{word}”</source>
        <translation>„{word}“ &amp;nie vorschlagen</translation>
    </message>
    <message>
        <source>&amp;Always Allow “{word}”</source>
        <translation>„{word}“ &amp;immer erlauben</translation>
    </message>
    <message>
        <source>No word at the caret</source>
        <translation>Kein Wort an der Schreibmarke</translation>
    </message>
    <message>
        <source>S&amp;mall Letters Only</source>
        <translation>Nur &amp;Kleinbuchstaben</translation>
    </message>
    <message>
        <source>No words</source>
        <translation>Keine Wörter</translation>
    </message>
    <message>
        <source>Forget everything learnt from your writing?</source>
        <translation>Alles vergessen, was aus deinen Texten gelernt wurde?</translation>
    </message>
    <message>
        <source>Forget Everything</source>
        <translation>Alles vergessen</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>Das Modell konnte nicht geladen werden</translation>
    </message>
    <message>
        <source>Suggestions stopped</source>
        <translation>Keine Vorschläge mehr</translation>
    </message>
    <message>
        <source>The page could not be read</source>
        <translation>Die Seite konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>Learning stopped</source>
        <translation>Es wird nicht mehr gelernt</translation>
    </message>
    <message>
        <source>Not forgotten</source>
        <translation>Nicht vergessen</translation>
    </message>
    <message>
        <source>“{word}” is not blocked</source>
        <translation>„{word}“ ist nicht gesperrt</translation>
    </message>
    <message>
        <source>“{word}” is not allowed</source>
        <translation>„{word}“ ist nicht erlaubt</translation>
    </message>
    <message>
        <source>This is what was found. Sentences with what looks like a password, a number or an address are left out. A part of the texts is kept back, to measure afterwards whether training has helped.</source>
        <translation>Das wurde gefunden. Sätze mit etwas, das wie ein Kennwort, eine Nummer oder eine Adresse aussieht, bleiben weg. Ein Teil der Texte wird zurückgehalten, um danach zu messen, ob das Training geholfen hat.</translation>
    </message>
    <message>
        <source>What will be used</source>
        <translation>Was verwendet wird</translation>
    </message>
    <message>
        <source>Samples of your texts</source>
        <translation>Proben deiner Texte</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Weggelassen</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Proben</translation>
    </message>
    <message>
        <source>Reading your texts …</source>
        <translation>Deine Texte werden gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Reading {file} …</source>
        <translation>{file} wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Nothing was found that can be learnt from.</source>
        <translation>Es wurde nichts gefunden, woraus sich lernen lässt.</translation>
    </message>
    <message>
        <source>Your texts could not be read: {reason}.</source>
        <translation>Deine Texte konnten nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>Nothing was left out.</source>
        <translation>Nichts wurde weggelassen.</translation>
    </message>
    <message>
        <source>Training needs PyTorch, which is not installed (1 to 3 GB). In a terminal, run: {command}</source>
        <translation>Training braucht PyTorch, das nicht installiert ist (1 bis 3 GB). Gib in einem Terminal ein: {command}</translation>
    </message>
    <message>
        <source>&amp;Start Training</source>
        <translation>Training &amp;starten</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message numerus="yes">
        <source>%n texts</source>
        <translation>
            <numerusform>%n Text</numerusform>
            <numerusform>%n Texte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>a while</source>
        <translation>eine Weile</translation>
    </message>
    <message>
        <source>about {time}</source>
        <translation>etwa {time}</translation>
    </message>
    <message>
        <source>{documents} from {files}, {words:,} words. Training will take {takes}, and you can go on writing meanwhile.</source>
        <translation>{documents} aus {files}, {words:,} Wörter. Dauer des Trainings: {takes}; inzwischen kannst du weiterschreiben.</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Wie viele</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>What is left out</source>
        <translation>Was weggelassen wird</translation>
    </message>
    <message>
        <source>A personal model is a copy of the language model that has read your own texts, so that it expects your words and your way to put them. All of it happens on this computer; your texts stay where they are, and you can go back to the model of now at any time.</source>
        <translation>Ein persönliches Modell ist eine Kopie des Sprachmodells, die deine eigenen Texte gelesen hat und darum deine Wörter und deine Ausdrucksweise erwartet. Alles geschieht auf diesem Rechner; deine Texte bleiben, wo sie sind, und du kannst jederzeit zum jetzigen Modell zurück.</translation>
    </message>
    <message>
        <source>Add letters, notes, mail and chats, or a folder of them, or drop them here. Even twenty pages help; more is better. Word, PDF, web pages, mail and exported chats can be read too.</source>
        <translation>Füge Briefe, Notizen, E-Mails und Chats hinzu oder einen Ordner davon, oder ziehe sie hierher. Schon zwanzig Seiten helfen; mehr ist besser. Auch Word, PDF, Webseiten, E-Mails und exportierte Chats werden gelesen.</translation>
    </message>
    <message>
        <source>Chats and mail hold the words of others too. Of those, only what this person wrote is used. Write the name as the chat shows it, or the mail address; several with commas between them.</source>
        <translation>In Chats und E-Mails stehen auch Worte anderer. Davon wird nur verwendet, was diese Person geschrieben hat. Gib den Namen an, wie der Chat ihn zeigt, oder die E-Mail-Adresse; mehrere mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>Teach it your way of writing</source>
        <translation>Deine Schreibweise beibringen</translation>
    </message>
    <message>
        <source>Texts to learn from</source>
        <translation>Texte zum Lernen</translation>
    </message>
    <message>
        <source>Add &amp;Files…</source>
        <translation>&amp;Dateien hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>Add F&amp;older…</source>
        <translation>&amp;Ordner hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>only needed for chats and mail, as: Ann, ann@example.org</source>
        <translation>nur für Chats und E-Mails nötig, etwa: Ann, ann@example.org</translation>
    </message>
    <message>
        <source>&amp;Your names in chats and mail</source>
        <translation>Deine &amp;Namen in Chats und E-Mails</translation>
    </message>
    <message>
        <source>Add Files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add Folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>See What Will Be &amp;Used</source>
        <translation>Zeigen, was &amp;verwendet wird</translation>
    </message>
    <message>
        <source>Perplexity: how many words the model hesitates between, so to speak, at each place. A line that goes down means that it learns; less is better.</source>
        <translation>Perplexität: zwischen wie vielen Wörtern das Modell an jeder Stelle sozusagen schwankt. Eine fallende Linie heißt, dass es lernt; weniger ist besser.</translation>
    </message>
    <message>
        <source>texts it trains on</source>
        <translation>Trainingstexte</translation>
    </message>
    <message>
        <source>texts kept back</source>
        <translation>zurückgehaltene Texte</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Perplexity during training</source>
        <translation>Perplexität im Training</translation>
    </message>
    <message>
        <source>{perplexity:.1f} on texts kept back at step {step}</source>
        <translation>{perplexity:.1f} bei zurückgehaltenen Texten in Schritt {step}</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Personalise</source>
        <translation>Personalisieren</translation>
    </message>
    <message>
        <source>Of the keys you would press to write texts like yours, so many need not be pressed if you take every right word among the first three offered. More is better.</source>
        <translation>Von den Tasten, die du für Texte wie deine drücken würdest, entfallen so viele, wenn du jedes richtige Wort unter den ersten drei angebotenen übernimmst. Mehr ist besser.</translation>
    </message>
    <message>
        <source>Next word foreseen</source>
        <translation>Nächstes Wort vorhergesehen</translation>
    </message>
    <message>
        <source>How often the right word is among the first three before you type its first letter. More is better.</source>
        <translation>Wie oft das richtige Wort unter den ersten drei ist, bevor du seinen ersten Buchstaben tippst. Mehr ist besser.</translation>
    </message>
    <message>
        <source>Perplexity on your text</source>
        <translation>Perplexität bei deinem Text</translation>
    </message>
    <message>
        <source>How many words the model hesitates between, so to speak, at each place of a text of yours that it has never seen. Less is better.</source>
        <translation>Zwischen wie vielen Wörtern das Modell sozusagen schwankt, an jeder Stelle eines Textes von dir, den es nie gesehen hat. Weniger ist besser.</translation>
    </message>
    <message>
        <source>Perplexity on other text</source>
        <translation>Perplexität bei anderem Text</translation>
    </message>
    <message>
        <source>The same on ordinary English. It should stay about where it was: then nothing was forgotten.</source>
        <translation>Dasselbe bei gewöhnlichem Englisch. Es sollte etwa gleich bleiben: Dann wurde nichts vergessen.</translation>
    </message>
    <message numerus="yes">
        <source>%n seconds</source>
        <translation>
            <numerusform>%n Sekunde</numerusform>
            <numerusform>%n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>{hours} h {minutes:02} min</source>
        <translation>{hours} h {minutes:02} min</translation>
    </message>
    <message>
        <source>A training of your personal model was interrupted. It can go on from there.</source>
        <translation>Das Training deines persönlichen Modells wurde unterbrochen. Es kann dort weitergehen.</translation>
    </message>
    <message>
        <source>Your personal model is still being trained. Stop and close?</source>
        <translation>Dein persönliches Modell wird noch trainiert. Anhalten und schließen?</translation>
    </message>
    <message>
        <source>What is trained so far is saved, and the next start of Foretype offers to go on.</source>
        <translation>Das bisher Trainierte ist gespeichert, und beim nächsten Start bietet Foretype an weiterzumachen.</translation>
    </message>
    <message>
        <source>Show the training of your personal model</source>
        <translation>Das Training deines persönlichen Modells zeigen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Throw Away</source>
        <translation>Wegwerfen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Stop and Close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>Keep Training</source>
        <translation>Weiter trainieren</translation>
    </message>
    <message>
        <source>Training · {time} left</source>
        <translation>Training · noch {time}</translation>
    </message>
    <message>
        <source>Training · {title}</source>
        <translation>Training · {title}</translation>
    </message>
    <message>
        <source>Training · saving</source>
        <translation>Training · wird gespeichert</translation>
    </message>
    <message>
        <source>Training paused</source>
        <translation>Training angehalten</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>Training fehlgeschlagen</translation>
    </message>
    <message>
        <source>Your personal model is ready</source>
        <translation>Dein persönliches Modell ist fertig</translation>
    </message>
    <message>
        <source>You can close this and go on writing: training goes on in the background, and a note at the foot of the window says how far it is.</source>
        <translation>Du kannst das schließen und weiterschreiben: Das Training läuft im Hintergrund, und ein Hinweis unten im Fenster sagt, wie weit es ist.</translation>
    </message>
    <message>
        <source>Paused. What is trained so far is saved, even if you close Foretype or switch the computer off.</source>
        <translation>Angehalten. Das bisher Trainierte ist gespeichert, auch wenn du Foretype schließt oder den Rechner ausschaltest.</translation>
    </message>
    <message>
        <source>Throw away what was trained so far?</source>
        <translation>Das bisher Trainierte wegwerfen?</translation>
    </message>
    <message>
        <source>Your texts and the model you use now stay as they are.</source>
        <translation>Deine Texte und das jetzige Modell bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Training progress</source>
        <translation>Fortschritt des Trainings</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Give Up…</source>
        <translation>A&amp;ufgeben&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Try Again</source>
        <translation>&amp;Noch einmal</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Saving what is trained so far …</source>
        <translation>Das bisher Trainierte wird gespeichert&#xa0;…</translation>
    </message>
    <message>
        <source>It did not work: {problem}.</source>
        <translation>Es hat nicht geklappt: {problem}.</translation>
    </message>
    <message>
        <source>About {time} of training left.</source>
        <translation>Noch etwa {time} Training.</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Es geht los&#xa0;…</translation>
    </message>
    <message>
        <source>Step {step:,} of {steps:,}</source>
        <translation>Schritt {step:,} von {steps:,}</translation>
    </message>
    <message>
        <source>{tokens_per_second:,.0f} tokens/s</source>
        <translation>{tokens_per_second:,.0f} Tokens/s</translation>
    </message>
    <message>
        <source>perplexity on texts kept back {perplexity:.1f}</source>
        <translation>Perplexität bei zurückgehaltenen Texten {perplexity:.1f}</translation>
    </message>
    <message>
        <source> (at first {perplexity:.1f})</source>
        <translation> (anfangs {perplexity:.1f})</translation>
    </message>
    <message>
        <source>Nothing changes until you decide, and you can go back at any time: Model menu, Go Back.</source>
        <translation>Nichts ändert sich, bis du dich entscheidest, und du kannst jederzeit zurück: Menü „Modell“, „Zurück“.</translation>
    </message>
    <message>
        <source>Both models were tried on texts of yours kept back from training.</source>
        <translation>Beide Modelle wurden an Texten von dir erprobt, die beim Training zurückgehalten wurden.</translation>
    </message>
    <message>
        <source>Trained in {time}.</source>
        <translation>Trainiert in {time}.</translation>
    </message>
    <message>
        <source>&amp;Use It Now</source>
        <translation>Jetzt &amp;verwenden</translation>
    </message>
    <message>
        <source>&amp;Keep the Old One</source>
        <translation>Altes &amp;behalten</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>The training was ended from outside, perhaps because the computer ran out of memory. What was saved is still there.</source>
        <translation>Das Training wurde von außen beendet, vielleicht weil der Arbeitsspeicher ausging. Was gespeichert war, ist noch da.</translation>
    </message>
    <message>
        <source>another window of Foretype is training</source>
        <translation>ein anderes Fenster von Foretype trainiert gerade</translation>
    </message>
    <message>
        <source>the training ended without a model</source>
        <translation>das Training endete ohne ein Modell</translation>
    </message>
</context>
</TS>
