/**
 * The items of the software project; `sample-rows.ts` says how a row is read. The states are b backlog · t to do · p in progress ·
 * r review · d done.
 */
export const softwareRows = `
t27 p15 r6 !high @david *13 ~2400 =offline ^4 | Orders without a connection | Bestellen ohne Verbindung
> 15 david n | Scope: one day of orders, no pictures. Everything else stays online. | Umfang: Bestellungen eines Tages, keine Bilder. Alles andere bleibt online.
t26 p15 d13 @david %1 *5 ~480 #backend /offline =queue +240@15 +180@14 | Queue of orders on the device | Warteschlange der Bestellungen auf dem Gerät
t26 p15 d12 @ben %1 *3 ~300 #backend =import +150@15 +120@13 | Orders are imported once, also after a restart | Bestellungen werden nur einmal importiert, auch nach einem Neustart
> 13 ben n | The number of the order is the key now; a second import changes nothing. | Die Nummer der Bestellung ist jetzt der Schlüssel; ein zweiter Import ändert nichts.
t25 p14 d12 @chloe %1 *3 ~240 #design +180@14 +60@13 | Screen “My orders” for small phones | Ansicht „Meine Bestellungen“ für kleine Telefone
t25 p14 d11 @david %1 *2 ~180 #bug +120@13 | Standing orders skip public holidays | Daueraufträge lassen Feiertage aus
t25 p13 d11 @ben %1 *2 ~120 #bug +90@12 | Sort the delivery list by tour, then by stop | Lieferliste nach Tour und dann nach Halt sortieren
t24 p13 d10 @chloe %1 *1 ~60 #design +60@12 | Larger touch areas for gloves | Größere Tippflächen für Handschuhe
t24 p12 d10 @ben %1 *3 ~240 #ops +150@11 +60@10 | Watch the expiry of certificates | Ablauf von Zertifikaten überwachen
t24 p12 d10 @david %1 *3 ~240 #backend +180@11 | Minimum order value for every kind of customer | Mindestbestellwert für jede Art von Kunden
t22 @chloe %1 *2 ~120 #design | Empty states with a next step | Leere Ansichten mit einem nächsten Schritt
t18 p4 d3 @david %2 *3 ~240 #backend /offline =conflict +150@4 +90@3 | Detect orders that were changed in two places | Erkennen, was an zwei Orten geändert wurde
t18 p4 d2 @ben %2 *2 ~180 #bug +120@4 +45@3 | Prices reach the tills without a restart | Preise erreichen die Kassen ohne Neustart
t18 p3 d2 @chloe %2 *2 ~120 #design +90@3 | Show what is waiting to be sent | Zeigen, was noch gesendet wird
t17 p3 d1 @ben %2 *1 ~60 #bug +50@2 | Receipt text is not cut | Bontext wird nicht abgeschnitten
t17 p2 d1 @chloe %2 *2 ~120 #design +100@2 | Dark colours for the night shift | Dunkle Farben für die Nachtschicht
t17 p3 r1 @david %2 *5 ~480 #backend /offline =merge +210@2 +180@1 | Merge changed orders line by line | Geänderte Bestellungen Zeile für Zeile zusammenführen
> 1 david n | Ready for review. Two shops that change the same line still need a question to the user. | Bereit zum Review. Ändern zwei Filialen dieselbe Zeile, muss noch der Mensch entscheiden.
> 1 ben n | Looks good. Please add the case “deleted here, changed there”. | Sieht gut aus. Bitte noch den Fall „hier gelöscht, dort geändert“ ergänzen.
t17 p2 r0 @ben %2 *2 ~180 #bug +90@1 | Thousands separators in amounts | Tausenderpunkte in Mengen
t16 p2 @ben %2 *3 ~240 #bug =deposit +60@1 | Deposit is counted twice in weekly totals | Pfand zählt in Wochensummen doppelt
t16 p1 @me %2 *3 ~240 #design =festival | Form for large orders | Formular für Großbestellungen
t16 p1 @david %2 *3 ~300 #backend =sync +60@0 | Send waiting orders when the network is back | Wartende Bestellungen senden, sobald das Netz da ist
t15 @me %2 *2 ~120 #bug ^1 =soldout | Do not offer sold-out substitutes | Ausverkaufte Ersatzartikel nicht anbieten
t15 @chloe %2 *1 ~60 #design | Icon for “not sent yet” | Symbol für „noch nicht gesendet“
t14 @david %2 *2 ~180 #backend ^2 | Keep drafts for thirty days | Entwürfe dreißig Tage behalten
t14 @ben %2 *1 ~60 #ops | Alert when the import is late | Meldung, wenn der Import zu spät ist
t12 @david %3 *5 ~480 #backend ^9 =push | Notify drivers of a changed route | Fahrer über eine geänderte Tour benachrichtigen
t12 @chloe %3 *3 ~240 #design ^10 | Map of the route with all stops | Karte der Tour mit allen Halten
t12 @ben %3 *3 ~240 #backend | Delivery notes as PDF | Lieferscheine als PDF
t11 @chloe %3 *2 ~120 #design | Sign on the screen at the door | An der Tür auf dem Bildschirm unterschreiben
t11 @ben %3 *2 ~120 #ops | Test shop with data of its own | Testfiliale mit eigenen Daten
t10 @david %3 *3 ~240 #backend | Second factor for office accounts | Zweiter Faktor für Bürokonten
b23 !low *5 #idea | Suggest orders by weather | Bestellmengen nach Wetter vorschlagen
b23 !low *8 #idea | Voice input in the bakery | Spracheingabe in der Backstube
b21 *3 #backend | Allergens for every article | Allergene zu jedem Artikel
b20 *2 #design | Choose the language on the tablet | Sprache auf dem Tablet wählen
b19 *5 #backend | Several price lists for one customer | Mehrere Preislisten für einen Kunden
b18 !low *3 #idea | Rate a delivery with one tap | Lieferung mit einem Tippen bewerten
b16 *3 #backend | History of price changes | Verlauf der Preisänderungen
b14 *2 #bug | Search finds no articles with umlauts | Suche findet keine Artikel mit Umlauten
b13 *5 #ops | Move the pictures to a storage of their own | Bilder in einen eigenen Speicher verschieben
b12 !high *8 #backend =routes | Plan routes for six vans | Touren für sechs Wagen planen
b9 *2 #design | Print the packing list by shelf | Packliste nach Regal drucken
b8 *1 #bug | Time of day is missing in the export | Uhrzeit fehlt im Export
b7 !low *3 #idea | Badge for a week without returns | Abzeichen für eine Woche ohne Retouren
b6 *3 #backend | Limit what one account can order in a minute | Begrenzen, was ein Konto in einer Minute bestellen kann
b4 *2 #design | Contrast of prices in the sun | Kontrast der Preise in der Sonne
b2 *1 #bug | Tab order in the order form | Tabulatorfolge im Bestellformular
`
